import { listSourceAuditQuerySchema, pageOf, sourceAuditEntrySchema } from "@svc/contract";
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
import { listAudit } from "../list-audit.ts";

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
      return readPage(limit, (count) => listAudit(db, callerOf(request).org.id, { ...page, limit: count }));
    },
  );
}
