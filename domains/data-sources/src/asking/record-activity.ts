import { hkdfSync } from "node:crypto";
import { type ActivitySource, type Caller, type ErrorCode } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { isDatabaseUnavailable } from "@svc/platform/db";
import { newId, uuidOf } from "@svc/platform/ids";
import { type Keyring, keyedDigest } from "@svc/platform/secrets";
import { counter, type Logger } from "@svc/platform/telemetry";
import type { DB } from "../db-types.ts";
import { insertActivity, type NewActivity } from "../queries/activity.ts";

/** A question that has ended. Its words and its answer are measured and digested here, and go no further. */
export interface EndedQuestion {
  caller: Caller;
  /** The caller's organization, as tables name it. */
  orgUuid: string;
  sourceId: string;
  source: ActivitySource;
  question: string;
  answer: string | undefined;
  hits: number;
  durationMs: number;
  outcome: "ok" | ErrorCode;
}

export interface ActivityRecorder {
  /** Returns at once; written within a quarter of a second, and before the process stops. */
  record(ended: EndedQuestion): void;
  close(): Promise<void>;
}

interface RecorderOptions {
  db: Db<DB>;
  keyring: Keyring;
  log: Logger;
  flushMs?: number;
  /** Rows kept while our database is away; beyond them the oldest go, and that is said. */
  maxWaiting?: number;
}

const MOST_AT_ONCE = 1_000;
const LONGEST_PAUSE_MS = 5_000;

const dropped = counter("svc_activity_dropped_total", "Records of questions that could not be kept.");

/** Outside the answer's way: many are written in one statement, some milliseconds later. */
export function createActivityRecorder(options: RecorderOptions): ActivityRecorder {
  const { db, keyring, log, flushMs = 200, maxWaiting = 20_000 } = options;
  const digest = createDigest(keyring);
  const waiting: NewActivity[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let pauseMs = flushMs;

  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MOST_AT_ONCE);
      await writeBatch(db, batch, log).catch((error: unknown) => {
        waiting.unshift(...batch);
        throw error;
      });
    }
  };
  const flush = (): Promise<void> => {
    timer = undefined;
    writing ??= writeAll()
      .then(
        () => (pauseMs = flushMs),
        (error: unknown) => {
          pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
          log.warn({ reason: String(error), waiting: waiting.length }, "activity cannot be written; trying again");
        },
      )
      .then(() => {
        writing = undefined;
        if (waiting.length > 0) schedule();
      });
    return writing;
  };
  const schedule = (): void => {
    timer ??= setTimeout(() => void flush(), pauseMs);
  };

  return {
    record: (ended) => {
      waiting.push(toRow(ended, digest));
      if (waiting.length > maxWaiting) {
        waiting.shift();
        dropped.add();
      }
      if (!writing) schedule();
    },
    close: async () => {
      clearTimeout(timer);
      await writing;
      clearTimeout(timer);
      await flush();
      clearTimeout(timer);
      if (waiting.length > 0) log.error({ lost: waiting.length }, "activity was lost: the database is away");
    },
  };
}

/** One row that the database does not take must not hold back the others. */
async function writeBatch(db: Db<DB>, batch: NewActivity[], log: Logger): Promise<void> {
  try {
    await insertActivity(db, batch);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    for (const row of batch) {
      await insertActivity(db, [row]).catch((rowError: unknown) => {
        if (isDatabaseUnavailable(rowError)) throw rowError;
        dropped.add();
        log.error({ err: rowError }, "a record of activity was refused by the database");
      });
    }
  }
}

/** Keyed, so that a short question cannot be guessed from its digest by who reads the table. */
function createDigest(keyring: Keyring): (text: string) => string {
  const master = keyring.keys.get(keyring.activeId) ?? Buffer.alloc(0);
  const digest = keyedDigest(Buffer.from(hkdfSync("sha256", master, "", "svc activity digests", 32)));
  return (text) => `\\x${digest(text)}`;
}

function toRow(ended: EndedQuestion, digest: (text: string) => string): NewActivity {
  const { caller, question, answer } = ended;
  return {
    org_id: ended.orgUuid,
    id: uuidOf(newId("act")),
    type: "data_sources",
    source_id: ended.sourceId,
    source: ended.source,
    caller_kind: caller.kind,
    user_id: caller.user ? uuidOf(caller.user.id) : null,
    user_email: caller.user?.email ?? null,
    client_id: caller.client_id ?? null,
    duration_ms: Math.round(ended.durationMs * 100) / 100,
    question_bytes: Buffer.byteLength(question),
    answer_bytes: answer === undefined ? 0 : Buffer.byteLength(answer),
    hits: ended.hits,
    question_digest: digest(question),
    answer_digest: answer === undefined ? null : digest(answer),
    outcome: ended.outcome,
  };
}
