import type { EmbeddingModels } from "../embedding/models.ts";
import type { SourceSession, VectorExtension } from "../queries/catalog.ts";
import type { EntryPlan, SearchPlan } from "../search-plan.ts";
import { type CheckedEntry, checkEntry } from "./check-entry.ts";
import { checkFilters, filterCastsOf } from "./check-filters.ts";
import { tableNameOf } from "./check-table.ts";
import { findWarnings } from "./find-warnings.ts";
import { findVectorIndex } from "./find-vector-index.ts";
import type { ConfigurationDraft } from "./read-configuration.ts";
import { readCatalog } from "./read-catalog.ts";
import type { Remark } from "./remark.ts";

export interface CheckedConfiguration {
  entries: CheckedEntry[];
  extension: VectorExtension | undefined;
  /** Each of them keeps the configuration from being saved. */
  problems: Remark[];
  /** Nothing of this does. */
  warnings: Remark[];
  /** Complete where there are no problems. */
  plan: SearchPlan;
}

interface Surroundings {
  models: EmbeddingModels;
  /** Role that answers questions. */
  reader: string;
}

/** Compares a configuration with the database as it is now, to the last problem. Changes nothing. */
export async function checkConfiguration(
  session: SourceSession,
  draft: ConfigurationDraft,
  { models, reader }: Surroundings,
): Promise<CheckedConfiguration> {
  const names = draft.entries.flatMap(({ table }) => (table === undefined ? [] : (tableNameOf(table) ?? [])));
  const catalog = await readCatalog(session, reader, names);
  const { extension } = catalog;
  const entries = draft.entries.map((entry, place) =>
    checkEntry(entry, place, { catalog, models, earlier: draft.entries.slice(0, place) }),
  );
  const tables = entries.flatMap(({ entry, table }) => (table ? [{ entry, table }] : []));
  const knowsEveryTable = draft.hasAllEntries && tables.length === entries.length;
  const problems = [
    ...draft.problems.map((problem): Remark => ({ code: "configuration", entry: null, ...problem })),
    ...(entries.length > 0 ? checkExtension(extension) : []),
    ...entries.flatMap(({ problems }) => problems),
    ...checkFilters(draft.filters, tables, { knowsEveryTable, extension }),
  ];
  return {
    entries,
    extension,
    problems,
    warnings: findWarnings(entries, draft.filters, extension),
    plan: { entries: entries.flatMap((entry) => planOf(entry, draft, extension) ?? []) },
  };
}

function checkExtension(extension: VectorExtension | undefined): Remark[] {
  const at = { code: "configuration", entry: null, path: "connection_config.embedding_configs" } as const;
  if (!extension) {
    return [
      {
        ...at,
        message: "the extension vector is not in this database. Run create extension vector, or ask the operator to",
      },
    ];
  }
  if (extension.can_be_entered) return [];
  const message = `the extension vector is in schema ${extension.schema}, which is not the database owner's: make the schema the owner's`;
  return [{ ...at, message }];
}

function planOf(
  { draft: entry, table, vectorColumn, contentColumns }: CheckedEntry,
  { filters }: ConfigurationDraft,
  extension: VectorExtension | undefined,
): EntryPlan | undefined {
  const { label, model, dimensions, distance_metric: metric } = entry;
  if (label === undefined || model === undefined || dimensions === undefined || metric === undefined) return undefined;
  if (!table || !vectorColumn || !extension) return undefined;
  return {
    label,
    model,
    dimensions,
    metric,
    schema: table.schema,
    table: table.name,
    vectorColumn: vectorColumn.name,
    contentColumns: contentColumns.map(({ name }) => name),
    filterCasts: filterCastsOf(filters, table),
    extensionSchema: extension.schema,
    index: findVectorIndex({ table, column: vectorColumn, metric, extension }).index,
  };
}
