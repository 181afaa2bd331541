import {
  type AskableSource,
  type Caller,
  type DataSource,
  type Id,
  isAtLeast,
  MAX_EXPOSED_SOURCES,
} from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { toAskableSource, toDataSource } from "./data-source.ts";
import type { DB } from "./db-types.ts";
import { listExposedRows } from "./queries/askable.ts";
import { listSourceRows } from "./queries/sources.ts";

/** More than any organization can have databases. */
const MOST_SOURCES = 1_000;

/** All of the organization's, exposed or not, for who configures them. */
export async function listSources(db: Db<DB>, orgId: Id<"org">): Promise<DataSource[]> {
  return (await listSourceRows(db, orgId, MOST_SOURCES)).map(toDataSource);
}

/** Those that this caller may ask. */
export async function listAskableSources(db: Db<DB>, caller: Caller): Promise<AskableSource[]> {
  const rows = await listExposedRows(db, caller.org.id, MAX_EXPOSED_SOURCES);
  return rows.filter(({ min_role }) => isAtLeast(caller.role, min_role)).map(toAskableSource);
}
