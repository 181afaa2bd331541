import {
  type EmbeddingConfig,
  embeddingConfigSchema,
  type FieldProblem,
  FILTER_TYPES,
  type FilterType,
  saveSearchConfigurationRequestSchema,
  type SearchConfiguration,
} from "@svc/contract";
import type { z } from "zod";

/** A configuration that may be malformed: what of it can be read is still compared with the database. */
export interface ConfigurationDraft {
  /** Only where every part of it has the right shape. */
  configuration: SearchConfiguration | undefined;
  entries: Partial<EmbeddingConfig>[];
  /** False where entries could not even be counted, so that more tables may be meant than are named here. */
  hasAllEntries: boolean;
  filters: Map<string, FilterType>;
  problems: FieldProblem[];
}

const MOST_ENTRIES = 20;
const MOST_FILTERS = 50;

export function readConfiguration(body: unknown): ConfigurationDraft {
  const parsed = saveSearchConfigurationRequestSchema.safeParse(body);
  const { connection_config, filter_schema } = fieldsOf(body);
  const { embedding_configs } = fieldsOf(connection_config);
  const given = Array.isArray(embedding_configs) ? (embedding_configs as unknown[]) : [];
  const filters = Object.entries(fieldsOf(filter_schema)).filter((entry): entry is [string, FilterType] =>
    FILTER_TYPES.includes(entry[1] as FilterType),
  );
  return {
    configuration: parsed.data,
    entries: given.slice(0, MOST_ENTRIES).map(readEntry),
    hasAllEntries: Array.isArray(embedding_configs) && given.length <= MOST_ENTRIES,
    filters: new Map(filters.slice(0, MOST_FILTERS)),
    problems: (parsed.error?.issues ?? []).map(toProblem),
  };
}

/** Those fields of an entry that have the right shape, whatever the others have. */
function readEntry(entry: unknown): Partial<EmbeddingConfig> {
  const given = fieldsOf(entry);
  const read = Object.entries(embeddingConfigSchema.shape).map(
    ([field, schema]) => [field, (schema as z.ZodType).safeParse(given[field])] as const,
  );
  return Object.fromEntries(read.flatMap(([field, { success, data }]) => (success ? [[field, data]] : [])));
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function toProblem(issue: z.core.$ZodIssue): FieldProblem {
  const path = issue.path.join(".").slice(0, 500);
  if (issue.code !== "unrecognized_keys") return { path, message: issue.message.slice(0, 1_000) };
  const keys = issue.keys.slice(0, 10).map((key) => key.slice(0, 60));
  return { path, message: `unknown field: ${keys.join(", ")}` };
}
