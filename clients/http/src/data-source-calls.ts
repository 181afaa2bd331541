import type * as Contract from "@svc/contract";
import type { z } from "zod";
import { address, queryOf } from "./address.ts";
import type { Calls } from "./call-api.ts";
import type { Page, PageQuery } from "./page.ts";

type SourceAuditQuery = PageQuery & { action?: Contract.SourceAuditAction; source_id?: string };

export interface DataSourceCalls {
  listSources(): Promise<z.infer<typeof Contract.dataSourcesSchema>>;
  /** Replaces what was saved. A dry run checks everything and saves nothing. */
  saveSearchConfiguration(
    sourceId: string,
    configuration: z.input<typeof Contract.saveSearchConfigurationRequestSchema>,
    options?: { dryRun?: boolean },
  ): Promise<Contract.SavedSearchConfiguration>;
  exposeSource(
    sourceId: string,
    exposure: z.input<typeof Contract.exposeSourceRequestSchema>,
  ): Promise<Contract.DataSource>;
  sourceHealth(sourceId: string): Promise<Contract.SourceHealth>;
  /** Who changed which database or source; for admins. */
  listSourceAudit(query?: SourceAuditQuery): Promise<Page<Contract.SourceAuditEntry>>;
  /** Sends content of sampled rows to the embedding provider. */
  probeModel(sourceId: string, probe: z.input<typeof Contract.probeModelRequestSchema>): Promise<Contract.ModelProbe>;
}

export function dataSourceCalls({ call }: Calls): DataSourceCalls {
  return {
    listSources: () => call("GET /api/wf/data-sources", (c) => c.dataSourcesSchema),
    saveSearchConfiguration: async (id, configuration, { dryRun } = {}) =>
      call(
        address`PUT /api/wf/data-sources/${id}` + queryOf({ dry_run: dryRun ? "true" : undefined }),
        (c) => c.savedSearchConfigurationSchema,
        configuration,
      ),
    exposeSource: async (id, exposure) =>
      call(address`PUT /api/wf/data-sources/${id}/exposure`, (c) => c.dataSourceSchema, exposure),
    sourceHealth: async (id) => call(address`GET /api/wf/data-sources/${id}/health`, (c) => c.sourceHealthSchema),
    listSourceAudit: (query = {}) =>
      call<Page<Contract.SourceAuditEntry>>(`GET /api/wf/audit${queryOf(query)}`, (c) =>
        c.pageOf(c.sourceAuditEntrySchema),
      ),
    probeModel: async (id, probe) =>
      call(address`POST /api/wf/data-sources/${id}/probe`, (c) => c.modelProbeSchema, probe),
  };
}
