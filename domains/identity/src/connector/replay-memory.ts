import { LRUCache } from "lru-cache";
import type { IdentityContext } from "../context.ts";

const REMEMBERED = 100_000;
const seenHere = new LRUCache<string, true>({ max: REMEMBERED });

const CLAIM = `if redis.call("set", KEYS[1], "1", "NX", "PX", ARGV[1]) then return 1 else return 0 end`;

/**
 * Whether something that may be used once has been used before, in any process. While there is no store to ask, this
 * process remembers for itself: a copy could then be used once at each of the others, for the minute it lives.
 */
export async function isReplayed({ cache }: Pick<IdentityContext, "cache">, id: string, until: Date): Promise<boolean> {
  const ttl = Math.max(1, until.getTime() - Date.now());
  if (seenHere.has(id)) return true;
  seenHere.set(id, true, { ttl });
  return (await cache.runScript?.(CLAIM, [`svc:assertion:${id}`], [String(ttl)])) === 0;
}
