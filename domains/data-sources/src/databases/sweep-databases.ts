import { type Db } from "@svc/platform/db";
import { idFromUuid } from "@svc/platform/ids";
import type { Logger } from "@svc/platform/telemetry";
import type { DB } from "../db-types.ts";
import { listUnfinished } from "../queries/databases.ts";
import type { DatabaseOf } from "./database-jobs.ts";
import type { DatabaseProvider } from "./database-provider.ts";

interface Sweeping {
  db: Db<DB>;
  provider: DatabaseProvider;
  log: Logger;
}

const PAGE = 200;

/** Finds what was left half done, and shuts databases that appeared on the server since the last time. */
export async function sweepDatabases(
  { db, provider, log }: Sweeping,
  resume: (database: DatabaseOf) => Promise<void>,
): Promise<void> {
  // First, because where the server is away nothing can be resumed either.
  const open = await provider.closeToStrangers();
  if (open.length > 0) {
    log.warn({ databases: open }, "every role of the server may connect to these: revoke connect from public on them");
  }
  let page: { org_id: string; id: string }[];
  let after: string | undefined;
  do {
    page = await listUnfinished(db, { after, limit: PAGE });
    for (const { org_id, id } of page) await resume({ org_id: idFromUuid("org", org_id), database_id: id });
    after = page.at(-1)?.id;
  } while (page.length === PAGE);
}
