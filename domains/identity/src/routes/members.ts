import {
  changeMemberRequestSchema,
  invitationSchema,
  inviteRequestSchema,
  memberSchema,
  pageOf,
  pageQuerySchema,
} from "@svc/contract";
import { actorOf, callerOf, originOf, problems, readCursor, readPage, type Server } from "@svc/platform/http";
import { z } from "zod";
import type { IdentityContext } from "../context.ts";
import { invite, listInvitations, revokeInvitation } from "../invitations.ts";
import { changeMemberRole, listMembers, removeMember } from "../members.ts";
import { type Guard } from "./guard.ts";
import { invitationParams, memberParams, orgParams } from "./params.ts";

export function memberRoutes(app: Server, context: IdentityContext, guard: Guard): void {
  app.get(
    "/api/v1/orgs/:org/members",
    {
      onRequest: guard("GET /api/v1/orgs/:org/members"),
      schema: {
        summary: "Members, oldest first",
        params: orgParams,
        querystring: pageQuerySchema,
        response: { 200: pageOf(memberSchema), ...problems(400, 401, 404, 429, 503) },
      },
    },
    (request) =>
      readPage(request.query.limit, (limit) =>
        listMembers(context, callerOf(request).org.id, limit, readCursor("mem", request.query.cursor)),
      ),
  );

  app.patch(
    "/api/v1/orgs/:org/members/:member",
    {
      onRequest: guard("PATCH /api/v1/orgs/:org/members/:member"),
      schema: {
        summary: "Change a member's role",
        params: memberParams,
        body: changeMemberRequestSchema,
        response: { 200: memberSchema, ...problems(400, 401, 403, 404, 409, 413, 415, 429, 503) },
      },
    },
    (request) =>
      changeMemberRole(
        context,
        callerOf(request).org.id,
        request.params.member,
        request.body.role,
        actorOf(request),
        originOf(request),
      ),
  );

  app.delete(
    "/api/v1/orgs/:org/members/:member",
    {
      onRequest: guard("DELETE /api/v1/orgs/:org/members/:member"),
      schema: {
        summary: "Remove a member, or leave",
        params: memberParams,
        response: { 204: z.undefined(), ...problems(400, 401, 403, 404, 409, 429, 503) },
      },
    },
    async (request, reply) => {
      const { org, role, user } = callerOf(request);
      const by = { userId: user?.id, role, actor: actorOf(request), origin: originOf(request) };
      await removeMember(context, org.id, request.params.member, by);
      return reply.code(204).send();
    },
  );
}

export function invitationRoutes(app: Server, context: IdentityContext, guard: Guard): void {
  app.get(
    "/api/v1/orgs/:org/invitations",
    {
      onRequest: guard("GET /api/v1/orgs/:org/invitations"),
      schema: {
        summary: "Invitations that are still open",
        params: orgParams,
        querystring: pageQuerySchema,
        response: { 200: pageOf(invitationSchema), ...problems(400, 401, 403, 404, 429, 503) },
      },
    },
    (request) =>
      readPage(request.query.limit, (limit) =>
        listInvitations(context, callerOf(request).org.id, limit, readCursor("inv", request.query.cursor)),
      ),
  );

  app.post(
    "/api/v1/orgs/:org/invitations",
    {
      onRequest: guard("POST /api/v1/orgs/:org/invitations"),
      schema: {
        summary: "Invite a person; good for 7 days and one sign-in",
        params: orgParams,
        body: inviteRequestSchema,
        response: { 201: invitationSchema, ...problems(400, 401, 403, 404, 409, 413, 415, 429, 503) },
      },
    },
    async (request, reply) => {
      const { org, user } = callerOf(request);
      const wanted = { ...request.body, invitedBy: user?.id };
      return reply.code(201).send(await invite(context, org.id, wanted, actorOf(request), originOf(request)));
    },
  );

  app.delete(
    "/api/v1/orgs/:org/invitations/:invitation",
    {
      onRequest: guard("DELETE /api/v1/orgs/:org/invitations/:invitation"),
      schema: {
        summary: "Take an invitation back",
        params: invitationParams,
        response: { 204: z.undefined(), ...problems(400, 401, 403, 404, 429, 503) },
      },
    },
    async (request, reply) => {
      const { invitation } = request.params;
      await revokeInvitation(context, callerOf(request).org.id, invitation, actorOf(request), originOf(request));
      return reply.code(204).send();
    },
  );
}
