import {
  createDatabaseRequestSchema,
  databaseConnectionSchema,
  databaseSchema,
  databasesSchema,
  dataSourceSchema,
  type Id,
  type Role,
  updateDatabaseRequestSchema,
} from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import { type Authenticator, callerOf, problems, requireCaller, requireRole, type Server } from "@svc/platform/http";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { DataSourcesContext } from "../context.ts";
import { authorOf } from "./author-of.ts";
import { createDatabase } from "../databases/create-database.ts";
import { deleteDatabase } from "../databases/delete-database.ts";
import { getConnection } from "../databases/get-connection.ts";
import { getDatabase } from "../databases/get-database.ts";
import { listDatabases } from "../databases/list-databases.ts";
import { restoreDatabase } from "../databases/restore-database.ts";
import { rotateCredentials } from "../databases/rotate-credentials.ts";
import { updateDatabase } from "../databases/update-database.ts";
import { loadSample } from "../sample/load-sample.ts";

/** Any text, so that a name that cannot be is answered like one that is not there. */
const databaseParams = z.strictObject({ name: z.string().max(200) });

type Guard = (minimum: Role) => ((request: FastifyRequest) => Promise<void>)[];

/** What those see and do who look after the organization's databases. */
export function databaseRoutes(app: Server, context: DataSourcesContext, authenticator: Authenticator): void {
  const atLeast: Guard = (minimum) => [requireCaller(authenticator), requireRole(minimum), refuseAgents];
  recordRoutes(app, context, atLeast);
  deletionRoutes(app, context, atLeast);
  credentialRoutes(app, context, atLeast);
  sampleRoutes(app, context, atLeast);
}

function recordRoutes(app: Server, context: DataSourcesContext, atLeast: Guard): void {
  app.get(
    "/api/wf/databases",
    {
      onRequest: atLeast("developer"),
      schema: { summary: "All databases", response: { 200: databasesSchema, ...problems(401, 403, 429, 503) } },
    },
    (request) => listDatabases(context, orgOf(request)),
  );

  app.post(
    "/api/wf/databases",
    {
      onRequest: atLeast("developer"),
      schema: {
        summary: "Create a database; it is ready within seconds",
        body: createDatabaseRequestSchema,
        response: { 201: databaseSchema, ...problems(400, 401, 403, 409, 413, 415, 429, 503) },
      },
    },
    async (request, reply) => reply.code(201).send(await createDatabase(context, authorOf(request), request.body)),
  );

  app.get(
    "/api/wf/databases/:name",
    {
      onRequest: atLeast("developer"),
      schema: {
        summary: "One database",
        params: databaseParams,
        response: { 200: databaseSchema, ...problems(401, 403, 404, 429, 503) },
      },
    },
    (request) => getDatabase(context, orgOf(request), request.params.name),
  );

  app.patch(
    "/api/wf/databases/:name",
    {
      onRequest: atLeast("developer"),
      schema: {
        summary: "Describe a database, or switch it on or off as a data source",
        params: databaseParams,
        body: updateDatabaseRequestSchema,
        response: { 200: databaseSchema, ...problems(400, 401, 403, 404, 409, 413, 415, 429, 503) },
      },
    },
    (request) => updateDatabase(context, authorOf(request), request.params.name, request.body),
  );
}

function deletionRoutes(app: Server, context: DataSourcesContext, atLeast: Guard): void {
  app.delete(
    "/api/wf/databases/:name",
    {
      onRequest: atLeast("admin"),
      schema: {
        summary: "Close a database now and remove it later; until delete_after it can be restored",
        params: databaseParams,
        response: { 200: databaseSchema, ...problems(400, 401, 403, 404, 413, 415, 429, 503) },
      },
    },
    (request) => deleteDatabase(context, authorOf(request), request.params.name),
  );

  app.post(
    "/api/wf/databases/:name/restore",
    {
      onRequest: atLeast("admin"),
      schema: {
        summary: "Take a deletion back; as a data source the database stays off",
        params: databaseParams,
        response: { 200: databaseSchema, ...problems(400, 401, 403, 404, 409, 413, 415, 429, 503) },
      },
    },
    (request) => restoreDatabase(context, authorOf(request), request.params.name),
  );
}

function credentialRoutes(app: Server, context: DataSourcesContext, atLeast: Guard): void {
  app.get(
    "/api/wf/databases/:name/connection",
    {
      onRequest: [...atLeast("developer"), refuseSupport],
      schema: {
        summary: "How to connect as the owner, with the password",
        params: databaseParams,
        response: { 200: databaseConnectionSchema, ...problems(401, 403, 404, 409, 429, 503) },
      },
    },
    (request) => getConnection(context, authorOf(request), request.params.name),
  );

  app.post(
    "/api/wf/databases/:name/rotate",
    {
      onRequest: atLeast("admin"),
      schema: {
        summary: "Change the passwords; the old ones and their connections end within seconds",
        params: databaseParams,
        response: { 202: databaseSchema, ...problems(400, 401, 403, 404, 409, 413, 415, 429, 503) },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await rotateCredentials(context, authorOf(request), request.params.name)),
  );
}

function sampleRoutes(app: Server, context: DataSourcesContext, atLeast: Guard): void {
  app.post(
    "/api/wf/databases/:name/sample",
    {
      onRequest: atLeast("developer"),
      schema: {
        summary: "Put a table with pages of an invented handbook into a database, to ask about; exposes nothing",
        params: databaseParams,
        response: {
          201: dataSourceSchema,
          ...problems(400, 401, 403, 404, 409, 413, 415, 429, 502, 503, 504),
        },
      },
    },
    async (request, reply) => reply.code(201).send(await loadSample(context, authorOf(request), request.params.name)),
  );
}

function orgOf(request: FastifyRequest): Id<"org"> {
  return callerOf(request).org.id;
}

/** An agent has its person's role, but no scope that an agent can be given is about databases. */
async function refuseAgents(request: FastifyRequest): Promise<void> {
  if (callerOf(request).kind !== "actor") return;
  throw new AppError("FORBIDDEN", "A connected agent cannot look after databases. Use the console, the CLI or HTTP.");
}

/** A support session ends; a password that was taken along would not. */
async function refuseSupport(request: FastifyRequest): Promise<void> {
  if (callerOf(request).kind !== "support") return;
  throw new AppError("FORBIDDEN", "A support session cannot see the password of a database. Ask a developer.");
}
