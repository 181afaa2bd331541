import { AUDIT_ACTIONS, auditEntrySchema, pageOf, pageQuerySchema } from "@svc/contract";
import { callerOf, problems, readCursor, readPage, type Server } from "@svc/platform/http";
import { z } from "zod";
import type { IdentityContext } from "../context.ts";
import { listAudit } from "../list-audit.ts";
import type { Guard } from "./guard.ts";
import { orgParams } from "./params.ts";

const auditQuery = pageQuerySchema.extend({ action: z.enum(AUDIT_ACTIONS).optional() });

export function auditRoutes(app: Server, context: IdentityContext, guard: Guard): void {
  app.get(
    "/api/v1/orgs/:org/audit",
    {
      onRequest: guard("GET /api/v1/orgs/:org/audit"),
      schema: {
        summary: "Who changed what, when and from where; newest first",
        params: orgParams,
        querystring: auditQuery,
        response: { 200: pageOf(auditEntrySchema), ...problems(400, 401, 403, 404, 429, 503) },
      },
    },
    (request) => {
      const { limit, cursor, action } = request.query;
      const before = readCursor("aud", cursor);
      return readPage(limit, (count) => listAudit(context, callerOf(request).org.id, { limit: count, before, action }));
    },
  );
}
