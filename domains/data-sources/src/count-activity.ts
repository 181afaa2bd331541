import { ACTIVITY_BUCKET_SECONDS, type ActivityHistogram, type Caller, MAX_ACTIVITY_BUCKETS } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { AppError } from "@svc/platform/errors";
import { onlyVisibleTo } from "./activity-visibility.ts";
import type { DB } from "./db-types.ts";
import { type ActivityFilters, countActivityRows } from "./queries/activity.ts";

const DAY_MS = 86_400_000;
/** As many as a chart has room for; the longest ranges have up to MAX_ACTIVITY_BUCKETS, in days. */
const WANTED_BUCKETS = 100;
/** One less than there are buckets, because a range rarely begins with a day. */
const LONGEST_DAYS = MAX_ACTIVITY_BUCKETS - 1;

/** How much was asked and how much of it failed, over time. */
export async function countActivity(
  db: Db<DB>,
  caller: Caller,
  wanted: ActivityFilters,
  now = new Date(),
): Promise<ActivityHistogram> {
  const filters = onlyVisibleTo(caller, wanted);
  const { from, to } = rangeOf(wanted, now);
  const seconds = bucketSecondsOf(to.getTime() - from.getTime());
  const moments = momentsOf(from, to, seconds * 1_000);
  const counted = await countActivityRows(db, caller.org.id, { ...filters, from, to }, moments);
  const byBucket = new Map(counted.map((row) => [row.bucket, row]));
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    bucket_seconds: seconds,
    buckets: moments.map((at, bucket) => {
      const { ok = 0, failed = 0 } = byBucket.get(bucket) ?? {};
      return { at: at.toISOString(), ok, failed };
    }),
  };
}

function rangeOf(wanted: ActivityFilters, now: Date): { from: Date; to: Date } {
  const to = wanted.to ?? now;
  const from = wanted.from ?? new Date(to.getTime() - DAY_MS);
  if (from >= to) throw invalidRange("must be before to, which is now unless it is given");
  if (to.getTime() - from.getTime() > LONGEST_DAYS * DAY_MS) {
    throw invalidRange(`must be at most ${LONGEST_DAYS} days before to`);
  }
  return { from, to };
}

function invalidRange(message: string): AppError {
  return new AppError("INVALID_REQUEST", `The time from which to count ${message}.`, {
    problems: [{ path: "from", message }],
  });
}

function bucketSecondsOf(rangeMs: number): number {
  const [longest = DAY_MS / 1_000] = ACTIVITY_BUCKET_SECONDS.slice(-1);
  return ACTIVITY_BUCKET_SECONDS.find((seconds) => rangeMs <= WANTED_BUCKETS * seconds * 1_000) ?? longest;
}

/** At full minutes, hours or days, so that a bucket of today has the same bounds as tomorrow. */
function momentsOf(from: Date, to: Date, bucketMs: number): Date[] {
  const first = Math.floor(from.getTime() / bucketMs) * bucketMs;
  const count = Math.ceil((to.getTime() - first) / bucketMs);
  return Array.from({ length: count }, (_, n) => new Date(first + n * bucketMs));
}
