import { createOrgRequestSchema, createOrgResponseSchema, orgSchema, updateOrgRequestSchema } from "@svc/contract";
import { actorOf, callerOf, originOf, problems, type Server } from "@svc/platform/http";
import type { IdentityContext } from "../context.ts";
import { createOrg } from "../create-org.ts";
import { getOrg } from "../get-org.ts";
import { updateOrg } from "../update-org.ts";
import { type Guard, personOf } from "./guard.ts";
import { orgParams } from "./params.ts";

export function orgRoutes(app: Server, context: IdentityContext, guard: Guard): void {
  app.post(
    "/api/v1/orgs",
    {
      onRequest: guard("POST /api/v1/orgs"),
      schema: {
        summary: "Create an organization and own it",
        body: createOrgRequestSchema,
        response: { 201: createOrgResponseSchema, ...problems(400, 401, 409, 413, 415, 429, 503) },
      },
    },
    async (request, reply) => {
      const org = await createOrg(context, { name: request.body.name, ownerId: personOf(request) }, originOf(request));
      return reply.code(201).send({ org });
    },
  );

  app.get(
    "/api/v1/orgs/:org",
    {
      onRequest: guard("GET /api/v1/orgs/:org"),
      schema: {
        summary: "The organization",
        params: orgParams,
        response: { 200: orgSchema, ...problems(401, 404, 429, 503) },
      },
    },
    (request) => getOrg(context.db, callerOf(request).org.id),
  );

  app.patch(
    "/api/v1/orgs/:org",
    {
      onRequest: guard("PATCH /api/v1/orgs/:org"),
      schema: {
        summary: "Change its name or the domains whose people join by themselves",
        params: orgParams,
        body: updateOrgRequestSchema,
        response: { 200: orgSchema, ...problems(400, 401, 403, 404, 409, 413, 415, 429, 503) },
      },
    },
    (request) => updateOrg(context, callerOf(request).org.id, request.body, actorOf(request), originOf(request)),
  );
}
