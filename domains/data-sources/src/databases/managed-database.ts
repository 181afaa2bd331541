import type { ManagedDatabase } from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import type { DatabaseRow } from "../queries/databases.ts";
import { sourceIdOf } from "../data-source.ts";

/** A database as its organization sees it: neither its name on the server nor a secret. */
export function toManagedDatabase(row: DatabaseRow): ManagedDatabase {
  return {
    name: row.name,
    source_id: sourceIdOf({ database_name: row.name }),
    description: row.description,
    data_source: row.data_source,
    status: row.status,
    delete_after: row.delete_after?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function noSuchDatabase(): AppError {
  return new AppError("NOT_FOUND", "No such database.");
}

/** For what can only be done with a database that is there to stay. */
export function refuseWhileDeleting(row: DatabaseRow): void {
  if (row.status !== "deleting") return;
  throw new AppError("CONFLICT", `The database ${row.name} is being deleted. ${howToRestore(row)}`);
}

export function howToRestore({ name, delete_after }: DatabaseRow): string {
  const until = delete_after?.toISOString() ?? "";
  return `Until ${until} an admin can restore it with POST /api/wf/databases/${name}/restore.`;
}

/** For what needs a database that is up, with the passwords it is going to keep. */
export function refuseUnlessSettled(row: DatabaseRow): void {
  refuseWhileDeleting(row);
  const isRotating = row.next_owner_secret !== null;
  if (row.status === "ready" && !isRotating) return;
  const why = isRotating ? "is getting new passwords" : "is still being made";
  throw new AppError("CONFLICT", `The database ${row.name} ${why}. Try again in a few seconds.`, {
    retryAfterSeconds: 2,
  });
}
