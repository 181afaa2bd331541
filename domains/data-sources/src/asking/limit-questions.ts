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

/**
 * Both windows in one step: a question that either refuses is charged to neither. A window starts with its first
 * question. Answers 0 and 0, or which window lets nobody through for longest (1, 2) and for how many milliseconds.
 */
const ADMIT = `
local refusing, wait = 0, 0
for window = 1, 2 do
  if tonumber(redis.call('get', KEYS[window]) or '0') >= tonumber(ARGV[window]) then
    local left = redis.call('pttl', KEYS[window])
    if left < 0 then left = tonumber(ARGV[window + 2]) end
    if left > wait then refusing, wait = window, left end
  end
end
if refusing == 0 then
  for window = 1, 2 do
    if redis.call('incr', KEYS[window]) == 1 then redis.call('pexpire', KEYS[window], ARGV[window + 2]) end
  end
end
return {refusing, wait}`;

const checks = counter("svc_question_limit_checks_total", "Questions counted, by who counted them and how it ended.");

export function createQuestionLimiter({ cache, replicas }: LimiterOptions): QuestionLimiter {
  const countHere = createLocalCounter();
  return {
    admit: async (orgId, limit) => {
      const limits = [limit.perMinute, limit.perDay] as const;
      const answer = await cache.runScript(
        ADMIT,
        // One slot of a cluster for both keys.
        WINDOWS.map(({ name }) => `svc:questions:{${orgId}}:${name}`),
        [...limits, ...WINDOWS.map(({ ms }) => ms)].map(String),
      );
      const by = answer === undefined ? "local" : "shared";
      const [refusing, wait] = (answer ??
        countHere(
          orgId,
          limits.map((count) => Math.ceil(count / replicas)),
        )) as Verdict;
      checks.add({ by, outcome: refusing === 0 ? "admitted" : "refused" });
      if (refusing !== 0) throw refusal(limits[refusing - 1] ?? 0, WINDOWS[refusing - 1]?.name ?? "minute", wait);
    },
  };
}

type Verdict = [refusing: 0 | 1 | 2, waitMs: number];

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
    let verdict: Verdict = [0, 0];
    for (const [index, { count, endsAt }] of open.entries()) {
      const wait = endsAt - now;
      if (count >= (limits[index] ?? 0) && wait > verdict[1]) verdict = [index === 0 ? 1 : 2, wait];
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
