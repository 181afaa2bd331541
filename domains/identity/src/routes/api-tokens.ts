import {
  apiTokenSchema,
  createApiTokenRequestSchema,
  createApiTokenResponseSchema,
  isAtLeast,
  listApiTokensQuerySchema,
  pageOf,
} from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import { actorOf, callerOf, originOf, problems, readCursor, readPage, type Server } from "@svc/platform/http";
import { z } from "zod";
import { createApiToken, listApiTokens, revokeApiToken } from "../api-tokens.ts";
import type { IdentityContext } from "../context.ts";
import { type Guard, personalCallerOf } from "./guard.ts";
import { apiTokenParams } from "./params.ts";

export function apiTokenRoutes(app: Server, context: IdentityContext, guard: Guard): void {
  app.get(
    "/api/v1/api-tokens",
    {
      onRequest: guard("GET /api/v1/api-tokens"),
      schema: {
        summary: "API tokens, without the tokens",
        querystring: listApiTokensQuerySchema,
        response: { 200: pageOf(apiTokenSchema), ...problems(400, 401, 403, 429, 503) },
      },
    },
    (request) => {
      const { scope, limit, cursor } = request.query;
      const caller = callerOf(request);
      if (scope === "org" && !isAtLeast(caller.role, "admin")) {
        throw new AppError("FORBIDDEN", "Everyone's tokens are for owner and admin. Leave scope out to see your own.");
      }
      const userId = scope === "org" ? undefined : personalCallerOf(request).user.id;
      const after = readCursor("tok", cursor);
      return readPage(limit, (count) => listApiTokens(context, caller.org.id, { limit: count, after, userId }));
    },
  );

  app.post(
    "/api/v1/api-tokens",
    {
      onRequest: guard("POST /api/v1/api-tokens"),
      schema: {
        summary: "Create an API token; it is shown this once",
        body: createApiTokenRequestSchema,
        response: { 201: createApiTokenResponseSchema, ...problems(400, 401, 403, 413, 415, 429, 503) },
      },
    },
    async (request, reply) => {
      const { org, user } = personalCallerOf(request);
      const { name, expires_at } = request.body;
      const wanted = { orgId: org.id, userId: user.id, name, expiresAt: expires_at ? new Date(expires_at) : undefined };
      return reply.code(201).send(await createApiToken(context, wanted, actorOf(request), originOf(request)));
    },
  );

  app.delete(
    "/api/v1/api-tokens/:token",
    {
      onRequest: guard("DELETE /api/v1/api-tokens/:token"),
      schema: {
        summary: "Revoke an API token",
        params: apiTokenParams,
        response: { 204: z.undefined(), ...problems(400, 401, 404, 429, 503) },
      },
    },
    async (request, reply) => {
      await revokeApiToken(context, callerOf(request), request.params.token, actorOf(request), originOf(request));
      return reply.code(204).send();
    },
  );
}
