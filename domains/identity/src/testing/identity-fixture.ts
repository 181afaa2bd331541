import { randomBytes } from "node:crypto";
import { type Id, type Role, ROLES } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { createServer, type Server } from "@svc/platform/http";
import type { Logger } from "@svc/platform/telemetry";
import { createMigratedDatabase, silentLogger } from "@svc/platform/testing";
import { createApiToken } from "../api-tokens.ts";
import { BY_RULE, type IdentityContext } from "../context.ts";
import { createOrgAsOperator } from "../create-org.ts";
import type { DB } from "../db-types.ts";
import { identityMigrations, identityOutbox } from "../index.ts";
import { insertMember } from "../queries/members.ts";
import { findOrInsertPerson } from "../queries/people.ts";
import { identityRoutes } from "../routes/identity-routes.ts";
import { deriveTokenKeys } from "../token-keys.ts";

export const NOWHERE = { address: null, userAgent: null };
export const OPERATOR_TOKEN = "operator-".padEnd(40, "x");

interface TestMember {
  userId: Id<"usr">;
  memberId: Id<"mem">;
  email: string;
  token: string;
}

export interface TestOrg {
  id: Id<"org">;
  slug: string;
  members: Record<Role, TestMember>;
}

export interface IdentityFixture {
  app: Server;
  context: IdentityContext;
  /** What all keys are derived from. */
  secrets: { jwtSecret: string; signingKey: string };
  published: string[];
  /** An organization with one member of each role, each with an API token. */
  createTestOrg(name?: string): Promise<TestOrg>;
  call(method: "GET" | "POST" | "PATCH" | "DELETE", url: string, token?: string, body?: object): Promise<Answer>;
  close(): Promise<void>;
}

interface Answer {
  status: number;
  body: any;
  headers: Record<string, unknown>;
}

/** The routes of identity on a real database. */
export async function createIdentityFixture(log: Logger = silentLogger()): Promise<IdentityFixture> {
  const database = await createMigratedDatabase([identityMigrations]);
  const published: string[] = [];
  const secrets = { jwtSecret: randomSecret(), signingKey: randomSecret() };
  const context: IdentityContext = {
    db: database.db as Db<DB>,
    keys: deriveTokenKeys(secrets.jwtSecret, secrets.signingKey),
    cache: { publish: async (channel) => void published.push(channel) },
  };
  const app = await createServer({ log, title: "identity under test", failureLimit: false });
  await app.register(identityRoutes, { context, outbox: identityOutbox, operatorToken: OPERATOR_TOKEN });

  return {
    app,
    context,
    secrets,
    published,
    createTestOrg: async (name = "Acme") => {
      const { org } = await createOrgAsOperator(context, { name }, NOWHERE);
      const entries = ROLES.map(async (role) => [
        role,
        await addMember(context, org.id, role, `${role}@${org.slug}.example`),
      ]);
      return { id: org.id, slug: org.slug, members: Object.fromEntries(await Promise.all(entries)) };
    },
    call: async (method, url, token, body) => {
      const headers = token ? { authorization: `Bearer ${token}` } : {};
      const response = await app.inject({ method, url, headers, ...(body && { payload: body }) });
      return {
        status: response.statusCode,
        headers: response.headers,
        body: response.body === "" ? undefined : response.json(),
      };
    },
    close: async () => {
      await app.close();
      await database.drop();
    },
  };
}

function randomSecret(): string {
  return randomBytes(32).toString("hex");
}

async function addMember(context: IdentityContext, orgId: Id<"org">, role: Role, email: string): Promise<TestMember> {
  const { userId } = await findOrInsertPerson(context.db, email, `The ${role}`);
  const memberId = await insertMember(context.db, orgId, userId, role);
  const { token } = await createApiToken(context, { orgId, userId, name: `token of ${role}` }, BY_RULE, NOWHERE);
  return { userId, memberId, email, token };
}
