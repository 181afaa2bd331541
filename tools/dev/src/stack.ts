import { createServer } from "node:net";
import {
  addMember,
  BY_RULE,
  createApiToken,
  createOrgAsOperator,
  deriveTokenKeys,
  type IdentityContext,
  type IdentityTables,
} from "@svc/identity";
import type { Id, Role } from "@svc/contract";
import { openDatabase } from "@svc/platform/db";
import { silentLogger } from "@svc/platform/testing";
import { databaseUrl, prepareDatabases } from "./databases.ts";
import type { PrivateServices } from "./private-services.ts";
import { makeSecrets, type StackSecrets } from "./secrets.ts";
import { type ServiceProcess, startServiceProcess } from "./service-process.ts";
import { defineServices, type ServiceName } from "./services.ts";

const NOWHERE = { address: null, userAgent: null };

export interface Stack {
  secrets: StackSecrets;
  databaseUrls: { identity: string; platform: string };
  /** Everything the services printed, by name. */
  lines: Record<string, string[]>;
  start(name: ServiceName, env?: Record<string, string>, options?: { unread: boolean }): Promise<ServiceProcess>;
  urlOf(name: ServiceName): string;
  /** A token of a new organization's owner. */
  issueToken(): Promise<string>;
  /** A token of another member of an organization. */
  issueMemberToken(orgId: Id<"org">, email: string, role: Role): Promise<{ token: string; memberId: Id<"mem"> }>;
  stopService(name: ServiceName): Promise<void>;
  stop(): Promise<void>;
}

/** Migrated databases and free ports; services are started one by one as a test needs them. */
export async function prepareStack({ postgresAdminUrl, redisUrl }: PrivateServices): Promise<Stack> {
  const secrets = makeSecrets();
  await prepareDatabases({ adminUrl: postgresAdminUrl, identity: "svc_identity", platform: "svc", secrets });
  const definitions = defineServices({
    adminUrl: postgresAdminUrl,
    redisUrl,
    identityDatabase: "svc_identity",
    platformDatabase: "svc",
    secrets,
    ports: await freePorts(10),
  });
  const identityUrl = databaseUrl(postgresAdminUrl, "svc_identity");
  const keys = deriveTokenKeys(secrets.JWT_SECRET, secrets.JWT_SIGNING_KEY);
  const withIdentity = async <T>(use: (context: IdentityContext) => Promise<T>): Promise<T> => {
    const database = openDatabase<IdentityTables>({ url: identityUrl, name: "e2e", log: silentLogger() });
    try {
      return await use({ db: database.db, keys, cache: { publish: async () => undefined } });
    } finally {
      await database.close();
    }
  };
  const running: ServiceProcess[] = [];
  const lines: Record<string, string[]> = {};

  return {
    secrets,
    lines,
    databaseUrls: { identity: identityUrl, platform: databaseUrl(postgresAdminUrl, "svc") },
    start: async (name, env = {}, { unread } = { unread: false }) => {
      const output = (lines[name] ??= []);
      const definition = { ...definitions[name], env: { ...definitions[name].env, ...env } };
      const service = startServiceProcess(definition, unread ? undefined : (line) => output.push(line));
      running.push(service);
      await service.waitUntilReady().catch((error: unknown) => {
        throw new Error(`${String(error)}\n${output.slice(-20).join("\n")}`);
      });
      return service;
    },
    urlOf: (name) => `http://127.0.0.1:${definitions[name].port}`,
    issueToken: async () => {
      const acme = { name: "Acme", admin_email: "owner@acme.example", admin_name: "Owner" };
      const { org, owner } = await withIdentity((context) => createOrgAsOperator(context, acme, NOWHERE));
      if (!owner) throw new Error("no owner");
      const wanted = { orgId: org.id, userId: owner.user_id, name: "e2e" };
      return (await withIdentity((context) => createApiToken(context, wanted, BY_RULE, NOWHERE))).token;
    },
    issueMemberToken: (orgId, email, role) =>
      withIdentity(async (context) => {
        const { userId, memberId } = await addMember(context, orgId, email, role);
        const { token } = await createApiToken(context, { orgId, userId, name: "e2e" }, BY_RULE, NOWHERE);
        return { token, memberId };
      }),
    stopService: async (name) => {
      await Promise.all(running.filter((service) => service.name === name).map((service) => service.stop()));
    },
    stop: async () => {
      await Promise.all(running.map((service) => service.stop()));
    },
  };
}

/**
 * Below the range that outgoing connections get their ports from, one of which could be there before the service. And
 * at random, since other stacks look for theirs at the same time.
 */
async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = 22_000 + Math.floor(Math.random() * 10_000);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
