import type { AskableSource, DataSource, FilterSchema, ManagedDatabase, MinRole } from "@svc/contract";

/** A source as far as the person may see it. */
export interface SourceView {
  /** `db_` and the name: what it is asked by. */
  sourceId: string;
  name: string;
  description: string | null;
  minRole: MinRole;
  filters: FilterSchema;
  /** Labels of what it searches in. */
  targets: string[];
  /** All of it, for who may see that. */
  managed: { source: DataSource; database: ManagedDatabase | undefined } | undefined;
}

export function viewOfAskable(source: AskableSource): SourceView {
  return {
    sourceId: source.id,
    name: source.name,
    description: source.description,
    minRole: source.min_role,
    filters: source.filters,
    targets: source.targets,
    managed: undefined,
  };
}

export function viewOfManaged(source: DataSource, database: ManagedDatabase | undefined): SourceView {
  return {
    sourceId: source.source_id,
    name: source.name,
    description: source.description,
    minRole: source.min_role,
    filters: source.filter_schema,
    targets: (source.connection_config?.embedding_configs ?? []).map(({ label }) => label),
    managed: { source, database },
  };
}
