import type { Id } from "@svc/contract";
import type { Cache } from "@svc/platform/cache";
import type { Db } from "@svc/platform/db";
import { LRUCache } from "lru-cache";
import type { DB } from "../db-types.ts";
import { type AskableRow, findAskableRow } from "../queries/askable.ts";

/** Sources as they were a moment ago, so that a question costs no read of our own database. */
export interface SourceDirectory {
  find(orgId: Id<"org">, id: string): Promise<AskableRow | undefined>;
  /** As it is now, whatever is remembered. */
  read(orgId: Id<"org">, id: string): Promise<AskableRow | undefined>;
  /** To be called after the commit of a change: here at once, elsewhere as soon as the news arrives. */
  sourceChanged(orgId: Id<"org">): Promise<void>;
}

const CHANNEL = "svc:data-sources";
/** Where the news of a change does not arrive, it is noticed after this. */
const TRUSTED_MS = 1_000;
const MOST_SOURCES = 5_000;

export function createSourceDirectory(db: Db<DB>, cache: Cache): SourceDirectory {
  // Sources that are not there are kept as well: a question to one costs the same as to one that is hidden.
  const known = new LRUCache<string, { row: AskableRow | undefined }>({ max: MOST_SOURCES, ttl: TRUSTED_MS });
  const inFlight = new Map<string, Promise<AskableRow | undefined>>();
  const forget = (): void => {
    known.clear();
    // Who asks from now on must not be answered with what was read before the change.
    inFlight.clear();
  };
  cache.subscribe(CHANNEL, forget, forget);

  const read = async (orgId: Id<"org">, id: string): Promise<AskableRow | undefined> => {
    const key = keyOf(orgId, id);
    const reading = findAskableRow(db, orgId, id);
    inFlight.set(key, reading);
    try {
      const row = await reading;
      if (inFlight.get(key) === reading) known.set(key, { row });
      return row;
    } finally {
      if (inFlight.get(key) === reading) inFlight.delete(key);
    }
  };

  return {
    read,
    find: async (orgId, id) => {
      const key = keyOf(orgId, id);
      const found = known.get(key);
      return found ? found.row : (inFlight.get(key) ?? read(orgId, id));
    },
    sourceChanged: async (orgId) => {
      forget();
      await cache.publish(CHANNEL, orgId).catch(() => {
        // The cache is away; the others notice after a second.
      });
    },
  };
}

function keyOf(orgId: Id<"org">, id: string): string {
  return `${orgId}/${id}`;
}
