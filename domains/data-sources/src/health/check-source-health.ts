import { FINDING_LEVELS, type Finding, type Id, type SourceHealth } from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import type { DataSourcesContext } from "../context.ts";
import { sourceIdOf } from "../data-source.ts";
import { physicalNamesOf } from "../databases/physical-names.ts";
import { findSourceRow, type SourceRow } from "../queries/sources.ts";
import { checkConfiguration } from "../search-configuration/check-configuration.ts";
import { readConfiguration } from "../search-configuration/read-configuration.ts";
import { withSourceSession } from "../search-configuration/source-session.ts";
import { configurationFindings } from "./configuration-findings.ts";
import { entryFindings } from "./entry-findings.ts";
import { findReaderFaults } from "./reader-findings.ts";

const MOST_FINDINGS = 500;

/** How a source is and what to do about it. A database that cannot be looked into is a finding, not a failure. */
export async function checkSourceHealth(
  context: DataSourcesContext,
  orgId: Id<"org">,
  id: string,
): Promise<SourceHealth> {
  const source = await findSourceRow(context.db, orgId, id);
  if (!source) throw new AppError("NOT_FOUND", "No such data source.");
  const { version, findings } = await examine(context, source).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    return { version: null, findings: [unexaminable(source, error)] };
  });
  return {
    source_id: sourceIdOf(source),
    status: FINDING_LEVELS.find((level) => findings.some((finding) => finding.level === level)) ?? "ok",
    checked_at: new Date().toISOString(),
    pgvector_version: version,
    findings: findings.slice(0, MOST_FINDINGS),
  };
}

async function examine(
  context: DataSourcesContext,
  source: SourceRow,
): Promise<{ version: string | null; findings: Finding[] }> {
  const { readerRole: reader } = physicalNamesOf(source.database_id);
  const { connection_config, filter_schema } = source;
  const draft = readConfiguration({
    connection_config: connection_config ?? { embedding_configs: [] },
    filter_schema: connection_config ? filter_schema : {},
  });
  return withSourceSession(context, source, "owner", async (session) => {
    const checked = await checkConfiguration(session, draft, { models: context.models, reader });
    const findings = configurationFindings(source, checked);
    for (const entry of checked.entries) findings.push(...(await entryFindings(session, entry, checked)));
    findings.push(...(await findReaderFaults(context, session, source)));
    return { version: checked.extension?.version ?? null, findings };
  });
}

function unexaminable({ database_status, database_name }: SourceRow, error: AppError): Finding {
  const messages = {
    creating: `The database ${database_name} is still being made. Look again shortly.`,
    deleting: `The database ${database_name} is deleted. Restore it to use it again.`,
    ready: error.message,
  };
  return { level: "error", code: "configuration", target: null, message: messages[database_status] };
}
