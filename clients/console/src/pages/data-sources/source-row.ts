import type { DataSource, ManagedDatabase } from "@svc/contract";

/** What stands in one line of the list: a source, and the database behind it. */
export interface SourceRow {
  sourceId: string;
  name: string;
  description: string | null;
  /** Undefined for the moment in which a new database is known and its source is not. */
  source: DataSource | undefined;
  state: SourceState;
  updatedAt: string;
}

/** "off": the database is there and is no data source. */
type SourceState = "on" | "off" | "creating" | "deleting";

export function joinRows(sources: readonly DataSource[], databases: readonly ManagedDatabase[]): SourceRow[] {
  const bySource = new Map(databases.map((database) => [database.source_id, database]));
  const known = new Set(sources.map(({ source_id }) => source_id));
  return [
    ...sources.map((source) => ({
      sourceId: source.source_id,
      name: source.name,
      description: source.description,
      source,
      state: stateOf(source.enabled, bySource.get(source.source_id)),
      updatedAt: source.updated_at,
    })),
    ...databases
      .filter(({ source_id }) => !known.has(source_id))
      .map((database) => ({
        sourceId: database.source_id,
        name: database.name,
        description: database.description,
        source: undefined,
        state: stateOf(database.data_source, database),
        updatedAt: database.updated_at,
      })),
  ];
}

function stateOf(isEnabled: boolean, database: ManagedDatabase | undefined): SourceState {
  if (database && database.status !== "ready") return database.status;
  return isEnabled ? "on" : "off";
}
