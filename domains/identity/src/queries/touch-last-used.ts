import type { Db } from "@svc/platform/db";
import { sql } from "kysely";
import type { DB } from "../db-types.ts";

export type UsedTable = "identity.api_tokens" | "identity.platform_access_grants";

/** At most once a minute, however many processes and requests there are. */
export async function touchLastUsed(db: Db<DB>, table: UsedTable, id: string): Promise<void> {
  await sql`
    update ${sql.table(table)} set last_used_at = now()
    where id = ${id} and (last_used_at is null or last_used_at < now() - interval '1 minute')`.execute(db);
}
