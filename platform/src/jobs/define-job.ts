import type { z } from "zod";

export interface JobDefinition<Data extends object> {
  /** Name of the queue, `<domain>.<act>`. */
  name: string;
  data: z.ZodType<Data>;
  /**
   * `one_active`: any number may wait, one runs at a time. `one_at_all`: a second is refused while the first
   * waits or runs. Both count per key where `key` is given, else for the whole queue.
   */
  exclusion?: "one_active" | "one_at_all";
  key?: (data: Data) => string;
  /** Attempts after the first, with growing pauses. What fails them all becomes a dead letter. */
  retry: { limit: number; delaySeconds: number; maxDelaySeconds: number };
  /** An attempt that takes longer is given up and retried elsewhere. */
  timeoutSeconds: number;
  /** A busy queue gets a table of its own, so that it cannot slow the others down. */
  ownTable?: boolean;
}

/** For code that does not look at the data. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyJob = JobDefinition<any>;

export function defineJob<Data extends object>(definition: JobDefinition<Data>): JobDefinition<Data> {
  return definition;
}

/** Where jobs go whose every attempt failed. */
export const DEAD_LETTERS = "dead_letters";

/** What the engine stores: the data, and the trace that asked for the work. */
export interface StoredJob {
  data: object;
  traceparent?: string;
}

/** The engine's least heartbeat. A worker that dies is noticed after it, plus the second between looks. */
export const HEARTBEAT_SECONDS = 10;
