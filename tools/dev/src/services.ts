import { databaseUrl } from "./databases.ts";
import type { StackSecrets } from "./secrets.ts";

export interface ServiceDefinition {
  name: string;
  entry: string;
  port: number;
  opsPort: number;
  env: Record<string, string>;
}

interface StackOptions {
  adminUrl: string;
  redisUrl: string;
  identityDatabase: string;
  platformDatabase: string;
  secrets: StackSecrets;
  /** Ten ports: two for each service. */
  ports: number[];
  /** What stands in for Google; without it nobody can sign in. */
  google?: { issuer: string; clientId: string; clientSecret: string };
}

export const SERVICE_NAMES = ["api-gateway", "auth-service", "deploy-api", "mcp-server", "worker"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** The embedding model of every stack on a developer's machine. */
export const LOCAL_MODEL = "local-en";

/** The five services as they run on one machine, each with its own settings and no more. */
export function defineServices(options: StackOptions): Record<ServiceName, ServiceDefinition> {
  const { adminUrl, redisUrl, secrets, identityDatabase, platformDatabase } = options;
  const ports = Object.fromEntries(
    SERVICE_NAMES.map((name, index) => [
      name,
      { port: options.ports[index * 2] ?? 0, opsPort: options.ports[index * 2 + 1] ?? 0 },
    ]),
  ) as Record<ServiceName, { port: number; opsPort: number }>;
  const urlOf = (name: ServiceName): string => `http://127.0.0.1:${ports[name].port}`;
  const SECRETS_KEYRING = `dev:${Buffer.from(secrets.SECRETS_KEY, "hex").toString("base64")}`;
  const platformUrl = (role: string, password: string): string =>
    databaseUrl(adminUrl, platformDatabase, { name: role, password });

  const env: Record<ServiceName, Record<string, string>> = {
    "auth-service": {
      IDENTITY_DATABASE_URL: databaseUrl(adminUrl, identityDatabase, {
        name: "svc_auth_service",
        password: secrets.AUTH_SERVICE_DATABASE_PASSWORD,
      }),
      REDIS_URL: redisUrl,
      JWT_SECRET: secrets.JWT_SECRET,
      JWT_SIGNING_KEY: secrets.JWT_SIGNING_KEY,
      ACTOR_ASSERTION_SECRET: secrets.ACTOR_ASSERTION_SECRET,
      OPERATOR_TOKEN: secrets.OPERATOR_TOKEN,
      API_GATEWAY_URL: urlOf("api-gateway"),
      // People meet every service behind the gateway.
      REDIRECT_BASE_URL: urlOf("api-gateway"),
      CONNECTOR_ISSUER: urlOf("api-gateway"),
      MCP_RESOURCE_URL: `${urlOf("mcp-server")}/platform`,
      ...(options.google && {
        GOOGLE_ISSUER: options.google.issuer,
        GOOGLE_CLIENT_ID: options.google.clientId,
        GOOGLE_CLIENT_SECRET: options.google.clientSecret,
      }),
    },
    "api-gateway": {
      DATABASE_URL: platformUrl("svc_api_gateway", secrets.API_GATEWAY_DATABASE_PASSWORD),
      REDIS_URL: redisUrl,
      AUTH_SERVICE_URL: urlOf("auth-service"),
      DEPLOY_API_URL: urlOf("deploy-api"),
      MCP_RESOURCE_URL: `${urlOf("mcp-server")}/platform`,
      ACTOR_ASSERTION_SECRET: secrets.ACTOR_ASSERTION_SECRET,
      SECRETS_KEYRING,
      // Runs in the gateway itself: nothing to sign up for, good enough to try things out in English.
      EMBEDDING_MODELS: JSON.stringify({ [LOCAL_MODEL]: { provider: "local", dimensions: 512 } }),
    },
    "deploy-api": { DATABASE_URL: platformUrl("svc_deploy_api", secrets.DEPLOY_API_DATABASE_PASSWORD) },
    "mcp-server": {
      API_GATEWAY_URL: urlOf("api-gateway"),
      AUTH_SERVICE_URL: urlOf("auth-service"),
      MCP_RESOURCE_URL: `${urlOf("mcp-server")}/platform`,
      CONNECTOR_ISSUER: urlOf("api-gateway"),
      JWT_SECRET: secrets.JWT_SECRET,
      ACTOR_ASSERTION_SECRET: secrets.ACTOR_ASSERTION_SECRET,
    },
    worker: {
      DATABASE_URL: platformUrl("svc_worker", secrets.WORKER_DATABASE_PASSWORD),
      SECRETS_KEYRING,
      MANAGED_DATABASES_ADMIN_URL: adminUrl,
    },
  };

  return Object.fromEntries(
    SERVICE_NAMES.map((name) => [
      name,
      {
        name,
        entry: `services/${name}/src/main.ts`,
        ...ports[name],
        env: {
          ...env[name],
          PORT: String(ports[name].port),
          OPS_PORT: String(ports[name].opsPort),
          DRAIN_SECONDS: "0",
        },
      },
    ]),
  ) as unknown as Record<ServiceName, ServiceDefinition>;
}
