import type { ModelProbe } from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import type { Author, DataSourcesContext } from "../context.ts";
import { sourceIdOf } from "../data-source.ts";
import { findSourceRow } from "../queries/sources.ts";
import { recordAudit } from "../record-audit.ts";
import type { EntryPlan, SearchPlan } from "../search-plan.ts";
import { withSourceSession } from "../search-configuration/source-session.ts";
import { probeEntry } from "./probe-entry.ts";

/** All of a probe together; an embedder on this machine takes up to a second for one entry. */
const PROBE_TIMEOUT_MS = 60_000;

/**
 * Whether vectors are of the model that the configuration names. Dimensions alone do not tell: of two models with the
 * same, one finds nothing in the other's vectors. Reads as the reader, so no more than any question can.
 */
export async function probeModel(
  context: DataSourcesContext,
  author: Author,
  id: string,
  { target }: { target?: string | undefined },
): Promise<ModelProbe> {
  const source = await findSourceRow(context.db, author.orgId, id);
  if (!source) throw new AppError("NOT_FOUND", "No such data source.");
  if (!source.search_plan) {
    throw new AppError("SEARCH_NOT_CONFIGURED", "this data source has no semantic search configured");
  }
  const plans = targeted(source.search_plan, target);
  // Before any row is sent.
  await recordAudit(context.db, author, "source.model_checked", source.database_name, {
    models: [...new Set(plans.map(({ model }) => model))].join(", "),
  });
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  return withSourceSession(context, source, "reader", async (session) => {
    const entries: ModelProbe["entries"] = [];
    for (const plan of plans) entries.push(await probeEntry(session, plan, context.models.find(plan.model), signal));
    return { source_id: sourceIdOf(source), entries };
  });
}

function targeted({ entries }: SearchPlan, target: string | undefined): EntryPlan[] {
  const wanted = entries.filter(({ label }) => target === undefined || label === target);
  if (wanted.length > 0) return wanted;
  const labels = entries.map(({ label }) => JSON.stringify(label)).join(", ");
  throw new AppError("INVALID_REQUEST", `No such target. Targets of this data source: ${labels}.`, {
    problems: [{ path: "target", message: `must be one of ${labels}`.slice(0, 1_000) }],
  });
}
