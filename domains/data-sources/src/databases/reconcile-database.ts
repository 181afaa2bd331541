import { isDeepStrictEqual } from "node:util";
import { BY_RULE } from "@svc/platform/audit";
import type { Db } from "@svc/platform/db";
import { type Keyring, open } from "@svc/platform/secrets";
import type { DB } from "../db-types.ts";
import {
  type DatabaseRow,
  deleteDatabaseRow,
  isPastRestoring,
  lockDatabaseRow,
  updateDatabaseRow,
} from "../queries/databases.ts";
import { recordAudit } from "../record-audit.ts";
import { secretContext } from "./connect.ts";
import type { DatabaseOf } from "./database-jobs.ts";
import type { DatabaseAddress, DatabaseProvider, DesiredDatabase } from "./database-provider.ts";
import { physicalNamesOf } from "./physical-names.ts";

interface Reconciling {
  db: Db<DB>;
  keyring: Keyring;
  provider: DatabaseProvider;
  /** Aborted when another worker has taken over. */
  signal: AbortSignal;
}

/**
 * Makes a database as its row says, and says so in the row. It trusts nothing but the row: it may run any number of
 * times, and beside another. What the row said is compared with what it says after the work, and where someone changed
 * it meanwhile, or where a worker that was taken for dead did something older, the work is done again.
 */
export async function reconcileDatabase(work: Reconciling, database: DatabaseOf): Promise<void> {
  const { db, keyring, provider, signal } = work;
  const names = physicalNamesOf(database.database_id);
  // Only here: from the first change on, giving up could leave something older behind than the row says.
  signal.throwIfAborted();
  let isSettled = false;
  while (!isSettled) {
    const { row, isOver } = await readRow(db, database);
    if (!row || isOver) {
      await provider.drop(names);
      if (row) await remove(db, database, row);
      isSettled = true;
    } else {
      const address = await provider.ensure(desiredOf(keyring, row));
      isSettled = await settle(db, database, row, address);
    }
  }
}

async function remove(db: Db<DB>, { org_id }: DatabaseOf, row: DatabaseRow): Promise<void> {
  const author = { orgId: org_id, actor: BY_RULE, origin: { address: null, userAgent: null } };
  await db.transaction().execute(async (tx) => {
    if (await deleteDatabaseRow(tx, row)) await recordAudit(tx, author, "database.removed", row.name);
  });
}

async function readRow(db: Db<DB>, of: DatabaseOf): Promise<{ row: DatabaseRow | undefined; isOver: boolean }> {
  return db.transaction().execute(async (tx) => {
    const row = await lockDatabaseRow(tx, of.org_id, { id: of.database_id });
    return { row, isOver: row?.status === "deleting" && (await isPastRestoring(tx, row)) };
  });
}

function desiredOf(keyring: Keyring, row: DatabaseRow): DesiredDatabase {
  const { database, ownerRole, readerRole } = physicalNamesOf(row.id);
  const owner = open(keyring, row.next_owner_secret ?? row.owner_secret, secretContext(row.id, "owner"));
  const reader = open(keyring, row.next_reader_secret ?? row.reader_secret, secretContext(row.id, "reader"));
  return {
    database,
    owner: { role: ownerRole, password: owner },
    reader: { role: readerRole, password: reader },
    open: row.status !== "deleting",
    endSessions: row.next_owner_secret !== null,
  };
}

/** Notes what was done, unless the row wants something else by now: then the answer is false. */
async function settle(db: Db<DB>, of: DatabaseOf, done: DatabaseRow, address: DatabaseAddress): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const row = await lockDatabaseRow(tx, of.org_id, { id: of.database_id });
    const isSame =
      row?.status === done.status &&
      row.owner_secret === done.owner_secret &&
      row.next_owner_secret === done.next_owner_secret;
    if (!isSame) return false;
    const { next_owner_secret, next_reader_secret } = row;
    const isRotated = next_owner_secret !== null && next_reader_secret !== null;
    const reachableAt = row.status === "deleting" ? null : address;
    const isAsItWas = row.status !== "creating" && !isRotated && isDeepStrictEqual(row.address, reachableAt);
    if (isAsItWas) return true;
    await updateDatabaseRow(tx, row, {
      status: row.status === "creating" ? "ready" : row.status,
      address: reachableAt,
      ...(isRotated && {
        owner_secret: next_owner_secret,
        reader_secret: next_reader_secret,
        next_owner_secret: null,
        next_reader_secret: null,
      }),
    });
    return true;
  });
}
