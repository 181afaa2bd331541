import { z } from "zod";
import { idSchema } from "./ids.ts";
import { lineSchema } from "./text.ts";

export const DISTANCE_METRICS = ["cosine", "l2", "inner_product"] as const;
export type DistanceMetric = (typeof DISTANCE_METRICS)[number];

export const FILTER_TYPES = ["string", "number", "boolean"] as const;
export type FilterType = (typeof FILTER_TYPES)[number];

/** Roles that a source can ask for. `member` is none of them: it ranks as viewer. */
export const MIN_ROLES = ["viewer", "developer", "admin", "owner"] as const;
export type MinRole = (typeof MIN_ROLES)[number];

export const MAX_EXPOSED_SOURCES = 100;

/** pgvector keeps at most this many dimensions. */
const MAX_DIMENSIONS = 16_000;

const columnName = z.string().min(1).max(300);

/** One searchable table. */
export const embeddingConfigSchema = z.strictObject({
  label: lineSchema(1, 100),
  table: z.string().min(1).max(300),
  columns: z.array(columnName).length(1).default(["embedding"]),
  model: z.string().min(1).max(200),
  dimensions: z.int().min(1).max(MAX_DIMENSIONS),
  content_columns: z.string().min(1).max(4_000),
  distance_metric: z.enum(DISTANCE_METRICS).default("cosine"),
});
export type EmbeddingConfig = z.infer<typeof embeddingConfigSchema>;

export const connectionConfigSchema = z.strictObject({
  embedding_configs: z.array(embeddingConfigSchema).max(20),
});

export const filterSchemaSchema = z
  .record(columnName, z.enum(FILTER_TYPES))
  .refine((filters) => Object.keys(filters).length <= 50, "names more than 50 columns");
export type FilterSchema = z.infer<typeof filterSchemaSchema>;

/** Replaces what was saved: a key that is left out is gone. */
export const saveSearchConfigurationRequestSchema = z.strictObject({
  connection_config: connectionConfigSchema,
  filter_schema: filterSchemaSchema.default({}),
});
export type SearchConfiguration = z.infer<typeof saveSearchConfigurationRequestSchema>;

export const saveSearchConfigurationQuerySchema = z.strictObject({
  /** Runs every check and saves nothing. */
  dry_run: z.enum(["true", "false"]).default("false"),
});

/** `ds_…`, or `db_` and the name of the database. */
export const sourceParamsSchema = z.strictObject({ id: z.string().max(200) });

export const dataSourceSchema = z.object({
  id: idSchema("ds"),
  source_id: z.string().max(50),
  name: z.string().max(40),
  description: z.string().max(500).nullable(),
  database: z.string().max(40),
  enabled: z.boolean(),
  exposed: z.boolean(),
  min_role: z.enum(MIN_ROLES),
  search_configured: z.boolean(),
  connection_config: connectionConfigSchema.nullable(),
  filter_schema: z.record(z.string().max(300), z.enum(FILTER_TYPES)),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type DataSource = z.infer<typeof dataSourceSchema>;

export const dataSourcesSchema = z.object({ items: z.array(dataSourceSchema).max(1_000) });

export const savedSearchConfigurationSchema = dataSourceSchema.extend({
  /** What works and could work better, such as a metric that no index serves. */
  warnings: z.array(z.object({ path: z.string().max(500), message: z.string().max(1_000) })).max(200),
  dry_run: z.boolean(),
});
export type SavedSearchConfiguration = z.infer<typeof savedSearchConfigurationSchema>;

export const exposeSourceRequestSchema = z.strictObject({
  exposed: z.boolean(),
  /** Left out: stays as it is. */
  min_role: z.enum(MIN_ROLES).optional(),
});

/** A source as who may ask it sees it. */
export const askableSourceSchema = z.object({
  id: z.string().max(50),
  name: z.string().max(40),
  min_role: z.enum(MIN_ROLES),
  /** Columns that can be filtered on, and what their values are. */
  filters: z.record(z.string().max(300), z.enum(FILTER_TYPES)),
  /** Labels, one of which a question may name as its target. */
  targets: z.array(z.string().max(100)).max(20),
  description: z.string().max(500).nullable(),
});
export type AskableSource = z.infer<typeof askableSourceSchema>;

export const askableSourcesSchema = z.object({ items: z.array(askableSourceSchema).max(MAX_EXPOSED_SOURCES) });
