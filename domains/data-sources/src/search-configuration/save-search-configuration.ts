import type { FieldProblem, Id, SavedSearchConfiguration, SearchConfiguration } from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import type { Author, DataSourcesContext } from "../context.ts";
import { toDataSource } from "../data-source.ts";
import { physicalNamesOf } from "../databases/physical-names.ts";
import type { SourceSession } from "../queries/catalog.ts";
import { replaceReaderGrants } from "../queries/reader-grants.ts";
import { findSourceRow, lockSourceRow, type SourceRow, updateSearchConfiguration } from "../queries/sources.ts";
import { recordAudit } from "../record-audit.ts";
import type { SearchPlan } from "../search-plan.ts";
import { checkConfiguration } from "./check-configuration.ts";
import { readConfiguration } from "./read-configuration.ts";
import { readerGrantsOf } from "./reader-grants-of.ts";
import type { Remark } from "./remark.ts";
import { withSourceSession } from "./source-session.ts";

const MOST_WARNINGS = 200;

interface Checked {
  configuration: SearchConfiguration;
  plan: SearchPlan;
}

/** Replaces what can be searched and what the reader may read, after comparing it with the database. */
export async function saveSearchConfiguration(
  context: DataSourcesContext,
  author: Author,
  id: string,
  body: unknown,
  { dryRun }: { dryRun: boolean },
): Promise<SavedSearchConfiguration> {
  const source = requireReady(await findSourceRow(context.db, author.orgId, id));
  const draft = readConfiguration(body);
  const saved = await withSourceSession(context, source, "owner", async (session) => {
    const reader = physicalNamesOf(source.database_id).readerRole;
    const { problems, warnings, plan } = await checkConfiguration(session, draft, { models: context.models, reader });
    if (!draft.configuration || problems.length > 0) throw invalid(problems);
    const checked = { configuration: draft.configuration, plan };
    const updatedAt = dryRun ? source.updated_at : await saveAndGrant(context, author, id, checked, session);
    return { source: withConfiguration(source, checked, updatedAt), warnings: withoutRepeats(warnings) };
  });
  if (!dryRun) await context.sourceChanged(author.orgId);
  return { ...toDataSource(saved.source), warnings: saved.warnings, dry_run: dryRun };
}

/**
 * Two databases have to change together, and nothing commits both at once. The row is changed first and committed
 * last, with the grants committed in between: whatever refuses before that leaves everything as it was, and of two
 * saves at once the second waits for the row. Where the end of it fails, the grants are made again from what is saved
 * then. If even that fails, or the process dies in between, the health check shows it and the next save mends it.
 */
async function saveAndGrant(
  context: DataSourcesContext,
  author: Author,
  id: string,
  { configuration, plan }: Checked,
  session: SourceSession,
): Promise<Date> {
  const { orgId } = author;
  let mayBeGranted = false;
  try {
    return await context.db.transaction().execute(async (tx) => {
      const source = requireReady(await lockSourceRow(tx, orgId, id));
      const updatedAt = await updateSearchConfiguration(tx, source, { configuration, plan });
      await recordAudit(tx, author, "source.configured", source.database_name, searchable(configuration));
      mayBeGranted = true;
      const { readerRole } = physicalNamesOf(source.database_id);
      await replaceReaderGrants(session, readerRole, readerGrantsOf(plan));
      return updatedAt;
    });
  } catch (error) {
    if (mayBeGranted) {
      await grantWhatIsSaved(context, orgId, id).catch((reason: unknown) =>
        context.log.error(
          { source: id, reason: String(reason) },
          "the reader's grants are not those of the saved search",
        ),
      );
    }
    throw error;
  }
}

/** What can be found from now on, and by what it can be filtered. */
function searchable({ connection_config, filter_schema }: SearchConfiguration): Record<string, string> {
  const entries = connection_config.embedding_configs.map(
    ({ table, content_columns }) => `${table} (${content_columns})`,
  );
  return { tables: entries.join("; ") || "none", filters: Object.keys(filter_schema).join(", ") || "none" };
}

async function grantWhatIsSaved(context: DataSourcesContext, orgId: Id<"org">, id: string): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    const source = requireReady(await lockSourceRow(tx, orgId, id));
    const { readerRole } = physicalNamesOf(source.database_id);
    await withSourceSession(context, source, "owner", (session) =>
      replaceReaderGrants(session, readerRole, readerGrantsOf(source.search_plan)),
    );
  });
}

function requireReady(source: SourceRow | undefined): SourceRow {
  if (!source) throw new AppError("NOT_FOUND", "No such data source.");
  if (source.database_status === "ready") return source;
  const state =
    source.database_status === "creating" ? "still being made: try again shortly" : "deleted: restore it first";
  throw new AppError("CONFLICT", `The database ${source.database_name} is ${state}.`);
}

/** As `updateSearchConfiguration` stores it: none at all where no table is searched. */
function withConfiguration(source: SourceRow, { configuration, plan }: Checked, updatedAt: Date): SourceRow {
  const isEmpty = plan.entries.length === 0;
  return {
    ...source,
    connection_config: isEmpty ? null : configuration.connection_config,
    filter_schema: configuration.filter_schema,
    search_plan: isEmpty ? null : plan,
    updated_at: updatedAt,
  };
}

function invalid(problems: Remark[]): AppError {
  return new AppError(
    "INVALID_SEARCH_CONFIGURATION",
    `Invalid search configuration: ${problems.length} problem(s); nothing was saved.`,
    { problems: problems.map(toFieldProblem) },
  );
}

/** Two entries about one table would say the same of it twice; and an answer has room for so many. */
function withoutRepeats(warnings: Remark[]): FieldProblem[] {
  const byText = new Map(warnings.map((warning) => [`${warning.path} ${warning.message}`, toFieldProblem(warning)]));
  return [...byText.values()].slice(0, MOST_WARNINGS);
}

function toFieldProblem({ path, message }: Remark): FieldProblem {
  return { path, message };
}
