import type { FilterSchema, Id, MinRole, SearchConfiguration } from "@svc/contract";
import { databaseNameSchema, idSchema } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { uuidOf } from "@svc/platform/ids";
import { sql } from "kysely";
import type { DatabaseAddress } from "../databases/database-provider.ts";
import type { DB } from "../db-types.ts";
import type { SearchPlan } from "../search-plan.ts";

/** A source together with the database behind it. */
export interface SourceRow {
  org_id: string;
  id: string;
  database_name: string;
  database_id: string;
  database_status: "creating" | "ready" | "deleting";
  address: DatabaseAddress | null;
  owner_secret: string;
  reader_secret: string;
  description: string | null;
  enabled: boolean;
  exposed: boolean;
  min_role: MinRole;
  connection_config: SearchConfiguration["connection_config"] | null;
  filter_schema: FilterSchema;
  search_plan: SearchPlan | null;
  created_at: Date;
  updated_at: Date;
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the type of a query is its text
export function sourcesOf(db: Db<DB>, orgId: Id<"org">) {
  return db
    .selectFrom("data_sources.sources as source")
    .innerJoin("data_sources.databases as database", (join) =>
      join.onRef("database.org_id", "=", "source.org_id").onRef("database.name", "=", "source.database_name"),
    )
    .select([
      "source.org_id",
      "source.id",
      "source.database_name",
      "database.id as database_id",
      "database.status as database_status",
      "database.address",
      "database.owner_secret",
      "database.reader_secret",
      "database.description",
      "source.enabled",
      "source.exposed",
      "source.min_role",
      "source.connection_config",
      "source.filter_schema",
      "source.search_plan",
      "source.created_at",
      "source.updated_at",
    ])
    .where("source.org_id", "=", uuidOf(orgId));
}

/** By `ds_…`, or by `db_` and the name of the database; nothing else can be the id of a source. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the type of a query is its text
export function sourceWithId(query: ReturnType<typeof sourcesOf>, id: string) {
  if (idSchema("ds").safeParse(id).success) return query.where("source.id", "=", uuidOf(id as Id<"ds">));
  const name = id.slice("db_".length);
  // What can be no name may hold what Postgres refuses, such as U+0000, and would be told from one that is not there.
  const canBeName = id.startsWith("db_") && databaseNameSchema.safeParse(name).success;
  return canBeName ? query.where("source.database_name", "=", name) : undefined;
}

export async function findSourceRow(db: Db<DB>, orgId: Id<"org">, id: string): Promise<SourceRow | undefined> {
  return (await sourceWithId(sourcesOf(db, orgId), id)?.executeTakeFirst()) as SourceRow | undefined;
}

/** Whoever else wants to change this source waits until the transaction ends. */
export async function lockSourceRow(tx: Db<DB>, orgId: Id<"org">, id: string): Promise<SourceRow | undefined> {
  const query = sourceWithId(sourcesOf(tx, orgId), id)?.forUpdate("source");
  return (await query?.executeTakeFirst()) as SourceRow | undefined;
}

export async function listSourceRows(db: Db<DB>, orgId: Id<"org">, limit: number): Promise<SourceRow[]> {
  return (await sourcesOf(db, orgId).orderBy("source.database_name").limit(limit).execute()) as unknown as SourceRow[];
}

export async function insertSource(
  tx: Db<DB>,
  source: { orgId: Id<"org">; id: Id<"ds">; database: string; enabled: boolean },
): Promise<void> {
  await tx
    .insertInto("data_sources.sources")
    .values({
      org_id: uuidOf(source.orgId),
      id: uuidOf(source.id),
      database_name: source.database,
      enabled: source.enabled,
    })
    .execute();
}

/** Off as a source is off for everyone: it is no longer exposed either. */
export async function setSourceEnabled(
  tx: Db<DB>,
  orgId: Id<"org">,
  database: string,
  enabled: boolean,
): Promise<void> {
  await tx
    .updateTable("data_sources.sources")
    .set({ enabled, ...(!enabled && { exposed: false }), updated_at: sql<Date>`now()` })
    .where("org_id", "=", uuidOf(orgId))
    .where("database_name", "=", database)
    .execute();
}

export async function updateSearchConfiguration(
  tx: Db<DB>,
  source: SourceRow,
  saved: { configuration: SearchConfiguration; plan: SearchPlan },
): Promise<Date> {
  const { configuration, plan } = saved;
  const isEmpty = configuration.connection_config.embedding_configs.length === 0;
  const row = await tx
    .updateTable("data_sources.sources")
    .set({
      connection_config: isEmpty ? null : JSON.stringify(configuration.connection_config),
      filter_schema: JSON.stringify(configuration.filter_schema),
      search_plan: isEmpty ? null : JSON.stringify(plan),
      updated_at: sql<Date>`now()`,
    })
    .where("org_id", "=", source.org_id)
    .where("database_name", "=", source.database_name)
    .returning("updated_at")
    .executeTakeFirstOrThrow();
  return row.updated_at;
}

export async function setExposure(
  tx: Db<DB>,
  source: SourceRow,
  exposure: { exposed: boolean; min_role: MinRole },
): Promise<void> {
  await tx
    .updateTable("data_sources.sources")
    .set({ ...exposure, updated_at: sql<Date>`now()` })
    .where("org_id", "=", source.org_id)
    .where("database_name", "=", source.database_name)
    .execute();
}
