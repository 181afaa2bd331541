import {
  createOrgAsOperatorRequestSchema,
  createOrgAsOperatorResponseSchema,
  startSupportSessionRequestSchema,
  startSupportSessionResponseSchema,
  supportSessionSchema,
} from "@svc/contract";
import { originOf, problems, type Server } from "@svc/platform/http";
import type { Outbox } from "@svc/platform/outbox";
import type { IdentityContext } from "../context.ts";
import { createOrgAsOperator } from "../create-org.ts";
import { elevateSupportSession, endSupportSession, startSupportSession } from "../support-sessions.ts";
import { type Guard } from "./guard.ts";
import { operatorOrgParams, supportSessionParams } from "./params.ts";

/** For who runs the service: organizations made for customers, and the vendor's visits to them. */
export function operatorRoutes(app: Server, context: IdentityContext, outbox: Outbox, guard: Guard): void {
  app.post(
    "/api/v1/admin/orgs",
    {
      onRequest: guard("POST /api/v1/admin/orgs"),
      schema: {
        summary: "Create an organization for others",
        body: createOrgAsOperatorRequestSchema,
        response: { 201: createOrgAsOperatorResponseSchema, ...problems(400, 401, 409, 413, 415, 429, 503) },
      },
    },
    async (request, reply) => reply.code(201).send(await createOrgAsOperator(context, request.body, originOf(request))),
  );

  app.post(
    "/api/v1/admin/orgs/:org/support-sessions",
    {
      onRequest: guard("POST /api/v1/admin/orgs/:org/support-sessions"),
      schema: {
        summary: "Enter an organization, read only, for an hour",
        params: operatorOrgParams,
        body: startSupportSessionRequestSchema,
        response: { 201: startSupportSessionResponseSchema, ...problems(400, 401, 404, 413, 415, 429, 503) },
      },
    },
    async (request, reply) => {
      const wanted = { orgId: request.params.org, ...request.body };
      return reply.code(201).send(await startSupportSession(context, outbox, wanted, originOf(request)));
    },
  );

  app.post(
    "/api/v1/admin/orgs/:org/support-sessions/:session/elevate",
    {
      onRequest: guard("POST /api/v1/admin/orgs/:org/support-sessions/:session/elevate"),
      schema: {
        summary: "From read only to read and write",
        params: supportSessionParams,
        response: { 200: supportSessionSchema, ...problems(400, 401, 404, 429, 503) },
      },
    },
    (request) => elevateSupportSession(context, outbox, request.params.org, request.params.session, originOf(request)),
  );

  app.post(
    "/api/v1/admin/orgs/:org/support-sessions/:session/end",
    {
      onRequest: guard("POST /api/v1/admin/orgs/:org/support-sessions/:session/end"),
      schema: {
        summary: "Leave the organization",
        params: supportSessionParams,
        response: { 200: supportSessionSchema, ...problems(400, 401, 404, 429, 503) },
      },
    },
    (request) => endSupportSession(context, request.params.org, request.params.session, originOf(request)),
  );
}
