import type { Finding } from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import type { DataSourcesContext } from "../context.ts";
import { physicalNamesOf } from "../databases/physical-names.ts";
import type { SourceSession } from "../queries/catalog.ts";
import { listReadableBeyond, listUnreadable, listWritable } from "../queries/reader-access.ts";
import type { SourceRow } from "../queries/sources.ts";
import { writeName, writeTableName } from "../search-configuration/parse-names.ts";
import { readerGrantsOf } from "../search-configuration/reader-grants-of.ts";
import { withSourceSession } from "../search-configuration/source-session.ts";

const SHOWN = 5;

/** Whether the role that answers questions can do exactly what searches need. */
export async function findReaderFaults(
  context: DataSourcesContext,
  session: SourceSession,
  source: SourceRow,
): Promise<Finding[]> {
  const { readerRole } = physicalNamesOf(source.database_id);
  const grants = readerGrantsOf(source.search_plan);
  const unreadable = await listUnreadable(session, readerRole, grants);
  const beyond = await listReadableBeyond(session, readerRole, grants, SHOWN + 1);
  const writable = await listWritable(session, readerRole, SHOWN + 1);
  const faults = [
    ...(await entryFault(context, source)),
    ...(unreadable.length > 0
      ? [
          fault(
            "error",
            `The reader cannot read ${columns(unreadable)}, so searches fail: save the configuration again.`,
          ),
        ]
      : []),
    ...(writable.length > 0
      ? [fault("error", `The reader can change ${list(writable.map(tableOf))}: revoke that from it and from public.`)]
      : []),
    ...(beyond.length > 0
      ? [
          fault(
            "warning",
            `The reader can read ${columns(beyond)}, which no search needs: save the configuration again, and revoke what public was granted.`,
          ),
        ]
      : []),
  ];
  if (faults.length > 0) return faults;
  return [fault("ok", "The reader can read the configured columns, and no others, and can change nothing.")];
}

/** Granted or not, it must get in first. */
async function entryFault(context: DataSourcesContext, source: SourceRow): Promise<Finding[]> {
  try {
    await withSourceSession(context, source, "reader", async () => undefined);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [fault("error", `The reader cannot connect, so searches fail. ${error.message}`)];
  }
}

function fault(level: Finding["level"], message: string): Finding {
  return { level, code: "reader_access", target: null, message: message.slice(0, 1_000) };
}

function columns(found: { schema: string; table: string; column: string }[]): string {
  return list(found.map((column) => `${tableOf(column)}.${writeName(column.column)}`));
}

function tableOf({ schema, table }: { schema: string; table: string }): string {
  return writeTableName({ schema, name: table });
}

function list(names: string[]): string {
  return names.length > SHOWN ? `${names.slice(0, SHOWN).join(", ")} and more` : names.join(", ");
}
