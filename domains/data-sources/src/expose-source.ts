import { type DataSource, MAX_EXPOSED_SOURCES, type MinRole } from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import type { Author, DataSourcesContext } from "./context.ts";
import { toDataSource } from "./data-source.ts";
import { countExposedUnderLock } from "./queries/askable.ts";
import { findSourceRow, lockSourceRow, setExposure } from "./queries/sources.ts";
import { recordAudit } from "./record-audit.ts";

interface Exposure {
  exposed: boolean;
  min_role?: MinRole | undefined;
}

/** Shows a source to the members from a role up, or to nobody. */
export async function exposeSource(
  { db, sourceChanged }: Pick<DataSourcesContext, "db" | "sourceChanged">,
  author: Author,
  id: string,
  wanted: Exposure,
): Promise<DataSource> {
  const { orgId } = author;
  const changed = await db.transaction().execute(async (tx) => {
    const exposedNow = await countExposedUnderLock(tx, orgId);
    // Locked, or it could be switched off between this look and the change.
    const source = await lockSourceRow(tx, orgId, id);
    if (!source) throw new AppError("NOT_FOUND", "No such data source.");
    if (wanted.exposed && !source.enabled) {
      throw new AppError(
        "CONFLICT",
        `The database ${source.database_name} is switched off as a data source. Switch it on first.`,
      );
    }
    if (wanted.exposed && !source.exposed && exposedNow >= MAX_EXPOSED_SOURCES) {
      throw new AppError(
        "EXPOSED_SOURCE_LIMIT",
        `${MAX_EXPOSED_SOURCES} data sources are exposed, which is the most. Take one back before exposing another.`,
      );
    }
    const exposure = { exposed: wanted.exposed, min_role: wanted.min_role ?? source.min_role };
    await setExposure(tx, source, exposure);
    if (exposure.exposed !== source.exposed || exposure.min_role !== source.min_role) {
      await recordAudit(tx, author, exposure.exposed ? "source.exposed" : "source.hidden", source.database_name, {
        min_role: exposure.min_role,
        before: source.exposed ? `exposed from ${source.min_role} up` : "exposed to nobody",
      });
    }
    return findSourceRow(tx, orgId, id);
  });
  await sourceChanged(orgId);
  if (!changed) throw new Error("a source that was just changed is gone");
  return toDataSource(changed);
}
