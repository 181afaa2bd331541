import { type ActivitySource, type Caller, type ErrorCode, type Hit, isAtLeast, type Question } from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import { sourceIdOf } from "../data-source.ts";
import type { QuestionVectors } from "../embedding/question-vectors.ts";
import type { AskableRow } from "../queries/askable.ts";
import type { EntryPlan } from "../search-plan.ts";
import { type CheckedFilter, checkFilters, notFilterable } from "./check-filters.ts";
import type { QuestionLimit, QuestionLimiter } from "./limit-questions.ts";
import type { ActivityRecorder } from "./record-activity.ts";
import { searchVectors, type VectorSearch } from "./search-vectors.ts";
import type { SourceDirectory } from "./source-directory.ts";
import { sourceFailure } from "./source-failure.ts";
import { trimAnswer } from "./trim-answer.ts";

export interface Asking {
  directory: SourceDirectory;
  limiter: QuestionLimiter;
  /** For organizations that have no limit of their own. */
  defaultLimit: QuestionLimit;
  vectors: QuestionVectors;
  search: VectorSearch;
  activity: ActivityRecorder;
}

/** Whether this caller may ask this source now: 404, 403 or 429 before a byte of the question is read. */
export async function admitQuestion(asking: Asking, caller: Caller, id: string): Promise<AskableRow> {
  const source = await asking.directory.find(caller.org.id, id);
  if (!source?.exposed || !source.enabled || source.database_status !== "ready") {
    throw new AppError("NOT_FOUND", "No such data source, or it is not exposed. List those you may ask.");
  }
  if (!isAtLeast(caller.role, source.min_role)) {
    throw new AppError(
      "FORBIDDEN",
      `Asking this data source needs the role ${source.min_role}; yours is ${caller.role}. Ask an owner of the organization.`,
    );
  }
  await asking.limiter.admit(caller.org.id, {
    perMinute: source.per_minute ?? asking.defaultLimit.perMinute,
    perDay: source.per_day ?? asking.defaultLimit.perDay,
  });
  return source;
}

const MAY_BE_OUTDATED = new Set<ErrorCode>(["SEARCH_CONFIGURATION_STALE", "SOURCE_UNAVAILABLE"]);

interface AskedQuestion {
  caller: Caller;
  question: Question;
  via: ActivitySource;
  format: "yaml" | "json";
  /** Ends the search when the caller goes away. */
  signal: AbortSignal;
  startedAt: number;
}

/** The body of the answer, at most 16 KiB of the format. However the search ends, it is on record. */
export async function askSource(asking: Asking, source: AskableRow, asked: AskedQuestion): Promise<string> {
  const record = (outcome: "ok" | ErrorCode, answer?: { body: string; count: number }): void =>
    asking.activity.record({
      caller: asked.caller,
      orgUuid: source.org_id,
      sourceId: sourceIdOf(source),
      source: asked.via,
      question: asked.question.query,
      answer: answer?.body,
      hits: answer?.count ?? 0,
      durationMs: performance.now() - asked.startedAt,
      outcome,
    });
  try {
    const answer = trimAnswer(await findHitsOfNow(asking, source, asked), asked.format);
    record("ok", answer);
    return answer.body;
  } catch (error) {
    record(error instanceof AppError ? error.code : "INTERNAL");
    throw error;
  }
}

/** What was remembered of the source may be a second old: configuration and password may have changed since. */
async function findHitsOfNow(asking: Asking, source: AskableRow, asked: AskedQuestion): Promise<Hit[]> {
  try {
    return await findHits(asking, source, asked);
  } catch (error) {
    if (!(error instanceof AppError && MAY_BE_OUTDATED.has(error.code)) || asked.signal.aborted) throw error;
    const now = await asking.directory.read(asked.caller.org.id, sourceIdOf(source));
    const isChanged =
      now?.updated_at.getTime() !== source.updated_at.getTime() || now.reader_secret !== source.reader_secret;
    if (!now?.exposed || !isChanged || !isAtLeast(asked.caller.role, now.min_role)) throw error;
    return findHits(asking, now, asked);
  }
}

async function findHits(asking: Asking, source: AskableRow, { question, signal }: AskedQuestion): Promise<Hit[]> {
  if (!source.search_plan) {
    throw new AppError("SEARCH_NOT_CONFIGURED", "this data source has no semantic search configured");
  }
  const filters = checkFilters(question.filters, source.filter_schema);
  const entries = entriesToSearch(source.search_plan.entries, question.target, filters, source);
  const found = await Promise.all(
    entries.map(async (plan) => {
      const vector = await asking.vectors.get(plan.model, question.query);
      try {
        return await searchVectors(asking.search, source, { plan, vector, filters, topK: question.top_k }, signal);
      } catch (error) {
        throw sourceFailure(error);
      }
    }),
  );
  return found.length === 1 ? (found[0] ?? []) : mergeByScore(found.flat(), question.top_k);
}

/** A row of a table without the column cannot match the filter, so such a table is left out. */
function entriesToSearch(
  entries: EntryPlan[],
  target: string | undefined,
  filters: CheckedFilter[],
  { filter_schema }: AskableRow,
): EntryPlan[] {
  const targeted = target === undefined ? entries : entries.filter(({ label }) => label === target);
  if (targeted.length === 0) {
    const labels = entries.map(({ label }) => JSON.stringify(label)).join(", ");
    throw new AppError("INVALID_REQUEST", `No such target. Targets of this data source: ${labels}.`, {
      problems: [{ path: "target", message: `must be one of ${labels}` }],
    });
  }
  const having = targeted.filter(({ filterCasts }) =>
    filters.every(({ column }) => Object.hasOwn(filterCasts, column)),
  );
  if (having.length > 0) return having;
  const missing = filters.filter(({ column }) =>
    targeted.every(({ filterCasts }) => !Object.hasOwn(filterCasts, column)),
  );
  // Each column is somewhere, but no table has them all: nothing can match.
  if (missing.length === 0) return [];
  const usable = Object.entries(filter_schema).filter(([column]) =>
    targeted.some(({ filterCasts }) => Object.hasOwn(filterCasts, column)),
  );
  throw notFilterable(
    missing.map(({ column }) => column),
    Object.fromEntries(usable),
  );
}

/** Sorting is stable: of equal scores the entry that stands first in the configuration comes first. */
function mergeByScore(hits: Hit[], topK: number): Hit[] {
  return hits.toSorted((a, b) => Number(b.metadata["_score"]) - Number(a.metadata["_score"])).slice(0, topK);
}
