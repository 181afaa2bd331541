import { grantSchema, isAtLeast, listGrantsQuerySchema, pageOf } from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import { actorOf, callerOf, originOf, problems, readCursor, readPage, type Server } from "@svc/platform/http";
import { z } from "zod";
import { disconnectAgent, listGrants } from "../connector/grants.ts";
import type { IdentityContext } from "../context.ts";
import { type Guard, personalCallerOf } from "./guard.ts";
import { grantParams } from "./params.ts";

export function grantRoutes(app: Server, context: IdentityContext, guard: Guard): void {
  app.get(
    "/api/v1/grants",
    {
      onRequest: guard("GET /api/v1/grants"),
      schema: {
        summary: "Connected agents",
        querystring: listGrantsQuerySchema,
        response: { 200: pageOf(grantSchema), ...problems(400, 401, 403, 429, 503) },
      },
    },
    (request) => {
      const { scope, limit, cursor } = request.query;
      const caller = callerOf(request);
      if (scope === "org" && !isAtLeast(caller.role, "admin")) {
        throw new AppError("FORBIDDEN", "Everyone's agents are for owner and admin. Leave scope out to see your own.");
      }
      const userId = scope === "org" ? undefined : personalCallerOf(request).user.id;
      const after = readCursor("grt", cursor);
      return readPage(limit, (count) => listGrants(context, caller.org.id, { limit: count, after, userId }));
    },
  );

  app.delete(
    "/api/v1/grants/:grant",
    {
      onRequest: guard("DELETE /api/v1/grants/:grant"),
      schema: {
        summary: "Disconnect an agent",
        params: grantParams,
        response: { 204: z.undefined(), ...problems(400, 401, 404, 429, 503) },
      },
    },
    async (request, reply) => {
      await disconnectAgent(context, callerOf(request), request.params.grant, actorOf(request), originOf(request));
      return reply.code(204).send();
    },
  );
}
