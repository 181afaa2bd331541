import type { AskableSource, DataSource } from "@svc/contract";
import { idFromUuid } from "@svc/platform/ids";
import type { SourceRow } from "./queries/sources.ts";

/** What a source goes by outside: `db_` and the name of its database. */
export function sourceIdOf({ database_name }: Pick<SourceRow, "database_name">): string {
  return `db_${database_name}`;
}

/** As who configures it sees it. Nothing here opens a door: no address, no password. */
export function toDataSource(row: SourceRow): DataSource {
  return {
    id: idFromUuid("ds", row.id),
    source_id: sourceIdOf(row),
    name: row.database_name,
    description: row.description,
    database: row.database_name,
    enabled: row.enabled,
    exposed: row.exposed,
    min_role: row.min_role,
    search_configured: row.connection_config !== null,
    connection_config: row.connection_config,
    filter_schema: row.filter_schema,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** As who asks it sees it. */
export function toAskableSource(row: SourceRow): AskableSource {
  return {
    id: sourceIdOf(row),
    name: row.database_name,
    min_role: row.min_role,
    filters: row.filter_schema,
    targets: (row.search_plan?.entries ?? []).map(({ label }) => label),
    description: row.description,
  };
}
