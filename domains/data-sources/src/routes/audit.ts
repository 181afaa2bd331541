import { listSourceAuditQuerySchema, pageOf, type SourceAuditAction, sourceAuditEntrySchema } from "@svc/contract";
import { toAuditEntry } from "@svc/platform/audit";
import {
  type Authenticator,
  callerOf,
  problems,
  readCursor,
  readPage,
  requireCaller,
  requireRole,
  type Server,
} from "@svc/platform/http";
import type { DataSourcesContext } from "../context.ts";
import { listAuditRows } from "../queries/audit.ts";

export function auditRoutes(app: Server, { db }: Pick<DataSourcesContext, "db">, authenticator: Authenticator): void {
  app.get(
    "/api/wf/audit",
    {
      onRequest: [requireCaller(authenticator), requireRole("admin")],
      schema: {
        summary: "Who changed which database or data source, when and from where; newest first",
        querystring: listSourceAuditQuerySchema,
        response: { 200: pageOf(sourceAuditEntrySchema), ...problems(400, 401, 403, 429, 503) },
      },
    },
    (request) => {
      const { limit, cursor, action, source_id: sourceId } = request.query;
      const page = { before: readCursor("aud", cursor), action, sourceId };
      return readPage(limit, async (count) => {
        const rows = await listAuditRows(db, callerOf(request).org.id, { ...page, limit: count });
        return rows.map((row) => ({ ...toAuditEntry(row), action: row.action as SourceAuditAction }));
      });
    },
  );
}
