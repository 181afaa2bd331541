import type { Id } from "@svc/contract";
import type { Cache } from "@svc/platform/cache";
import { AppError } from "@svc/platform/errors";
import { counter } from "@svc/platform/telemetry";
import { LRUCache } from "lru-cache";

export interface QuestionLimit {
  perMinute: number;
  perDay: number;
}

export interface QuestionLimiter {
  /** Counts one question, or throws RATE_LIMITED and counts nothing. */
  admit(orgId: Id<"org">, limit: QuestionLimit): Promise<void>;
}

interface LimiterOptions {
  cache: Cache;
  /** Processes that share the questions. Without the cache each lets its part through. */
  replicas: number;
}

const WINDOWS = [
  { name: "minute", ms: 60_000 },
  { name: "day", ms: 86_400_000 },
] as const;

/** Of what is left, and at most so many: what a process takes in advance and does not use is lost to the others. */
const SHARE_IN_ADVANCE = 100;
const MOST_IN_ADVANCE = 50;

/**
 * Both windows in one step: a question that either refuses is charged to neither. A window starts with its first
 * question. Answers 0, how many questions it let through and how long the minute still lasts; or which window lets
 * nobody through for longest (1, 2), 0, and for how many milliseconds.
 *
 * While much is left, one call takes a hundredth of it: an organization with 100,000 questions a minute then costs one
 * round trip for fifty of them. With 60 a minute it is always one by one, and exact to the last.
 */
const ADMIT = `
local refusing, wait, room = 0, 0, nil
for window = 1, 2 do
  local left = tonumber(ARGV[window]) - tonumber(redis.call('get', KEYS[window]) or '0')
  if left <= 0 then
    local ttl = redis.call('pttl', KEYS[window])
    if ttl < 0 then ttl = tonumber(ARGV[window + 2]) end
    if ttl > wait then refusing, wait = window, ttl end
  end
  if not room or left < room then room = left end
end
if refusing > 0 then return {refusing, 0, wait} end
local taken = math.max(1, math.min(${MOST_IN_ADVANCE}, math.floor(room / ${SHARE_IN_ADVANCE})))
for window = 1, 2 do
  if redis.call('incrby', KEYS[window], taken) == taken then
    redis.call('pexpire', KEYS[window], ARGV[window + 2])
  end
end
return {0, taken, redis.call('pttl', KEYS[1])}`;

const checks = counter("svc_question_limit_checks_total", "Questions counted, by who counted them and how it ended.");

interface Advance {
  left: number;
  endsAt: number;
}

export function createQuestionLimiter({ cache, replicas }: LimiterOptions): QuestionLimiter {
  const countHere = createLocalCounter();
  const advances = new LRUCache<string, Advance>({ max: 20_000 });

  const isTakenAlready = (orgId: string): boolean => {
    const advance = advances.get(orgId);
    if (!advance || advance.left === 0 || advance.endsAt <= Date.now()) return false;
    advance.left -= 1;
    return true;
  };
  const keepRest = (orgId: string, rest: number, ms: number): void => {
    if (rest === 0) return;
    const kept = advances.get(orgId);
    const endsAt = Date.now() + ms;
    // Several may have been taken at once; all of them are of the same minute.
    const isSame = kept !== undefined && kept.endsAt > Date.now();
    advances.set(orgId, {
      left: rest + (isSame ? kept.left : 0),
      endsAt: isSame ? Math.min(kept.endsAt, endsAt) : endsAt,
    });
  };

  return {
    admit: async (orgId, limit) => {
      if (isTakenAlready(orgId)) {
        checks.add({ by: "shared", outcome: "admitted" });
        return;
      }
      const limits = [limit.perMinute, limit.perDay] as const;
      const answer = (await cache.runScript(
        ADMIT,
        // One slot of a cluster for both keys.
        WINDOWS.map(({ name }) => `svc:questions:{${orgId}}:${name}`),
        [...limits, ...WINDOWS.map(({ ms }) => ms)].map(String),
      )) as Verdict | undefined;
      const parts = limits.map((count) => Math.ceil(count / replicas));
      const [refusing, taken, ms] = answer ?? countHere(orgId, parts);
      checks.add({ by: answer ? "shared" : "local", outcome: refusing === 0 ? "admitted" : "refused" });
      if (refusing !== 0) throw refusal(limits[refusing - 1] ?? 0, WINDOWS[refusing - 1]?.name ?? "minute", ms);
      keepRest(orgId, taken - 1, ms);
    },
  };
}

type Verdict = [refusing: 0 | 1 | 2, taken: number, ms: number];

/** The same rule in this process alone, for while the cache is away. */
function createLocalCounter(): (orgId: string, limits: number[]) => Verdict {
  const windows = new LRUCache<string, { count: number; endsAt: number }>({ max: 20_000 });
  return (orgId, limits) => {
    const now = Date.now();
    const open = WINDOWS.map(({ name, ms }) => {
      const key = `${orgId}/${name}`;
      const known = windows.get(key);
      if (known && known.endsAt > now) return known;
      const fresh = { count: 0, endsAt: now + ms };
      windows.set(key, fresh);
      return fresh;
    });
    let verdict: Verdict = [0, 1, 0];
    for (const [index, { count, endsAt }] of open.entries()) {
      const wait = endsAt - now;
      if (count >= (limits[index] ?? 0) && wait > verdict[2]) verdict = [index === 0 ? 1 : 2, 0, wait];
    }
    if (verdict[0] === 0) for (const window of open) window.count += 1;
    return verdict;
  };
}

function refusal(limit: number, window: "minute" | "day", waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new AppError(
    "RATE_LIMITED",
    `Your organization may ask ${limit} questions a ${window} and has asked them. Try again in ${seconds} s.`,
    { retryAfterSeconds: seconds },
  );
}
