import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { styleText } from "node:util";
import { servicesUnderTest } from "@svc/platform/testing";
import { buildConsole } from "./console.ts";
import { databaseUrl, prepareDatabases } from "./databases.ts";
import { ensureDemoToken, inviteDemoDeveloper } from "./demo.ts";
import { formatLine } from "./format-log.ts";
import { DEMO_PEOPLE, startLocalProvider } from "./local-provider.ts";
import { loadOrMakeSecrets } from "./secrets.ts";
import { startServiceProcess } from "./service-process.ts";
import { defineServices, SERVICE_NAMES } from "./services.ts";

const HELP = `usage: pnpm dev [--quiet]

Starts all services of svc on this machine and prints where they are. Ctrl-C stops them.

  --quiet    only warnings and errors of the services

The environment SVC_DEV_PORT (4000) is the first of eleven ports.
Example: SVC_DEV_PORT=4500 pnpm dev --quiet
`;

if (process.argv.includes("--help")) {
  process.stdout.write(HELP);
  process.exit(0);
}

const startedAt = performance.now();
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const devDirectory = process.env["SVC_DEV_DIR"] ?? fileURLToPath(new URL("../../../.dev", import.meta.url));
const firstPort = Number(process.env["SVC_DEV_PORT"] ?? 4000);
const ports = Array.from({ length: 10 }, (_, index) => firstPort + index);
const providerPort = firstPort + ports.length;
for (const port of [...ports, providerPort]) await refuseTakenPort(port);

const { postgresAdminUrl: adminUrl, redisUrl } = servicesUnderTest();
// With the page of patterns, which a release does not have.
const consoleDirectory = buildConsole({ mode: "development", directory: join(devDirectory, "console") });
const secrets = loadOrMakeSecrets(join(devDirectory, "secrets.json"));
const databases = { identity: "svc_identity", platform: "svc" };
for (const line of await prepareDatabases({ adminUrl, ...databases, secrets })) say(styleText("gray", line));

const gatewayUrl = `http://127.0.0.1:${firstPort}`;
const google = { clientId: "svc", clientSecret: randomBytes(32).toString("hex") };
const provider = await startLocalProvider({
  name: "Google",
  port: providerPort,
  client: { id: google.clientId, secret: google.clientSecret, redirectUri: `${gatewayUrl}/auth/google/callback` },
  people: DEMO_PEOPLE,
});
const definitions = defineServices({
  adminUrl,
  redisUrl,
  secrets,
  identityDatabase: databases.identity,
  platformDatabase: databases.platform,
  ports,
  google: { issuer: provider.issuer, ...google },
});
definitions["api-gateway"].env["CONSOLE_DIRECTORY"] = await consoleDirectory;
const quiet = process.argv.includes("--quiet");
const services = SERVICE_NAMES.map((name, index) => {
  const definition = definitions[name];
  if (quiet) definition.env["LOG_LEVEL"] = "warn";
  return startServiceProcess(definition, (line) => say(formatLine(name, index, line)));
});

let stopping = false;
const stopAll = async (code: number): Promise<never> => {
  stopping = true;
  await Promise.all(services.map((service) => service.stop()));
  process.exit(code);
};
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stopAll(0));
for (const service of services) {
  void service.exited.then((code) => {
    if (stopping) return;
    say(styleText("red", `${service.name} ended with ${code}; stopping the others. Its last lines are above.`));
    void stopAll(1);
  });
}

await Promise.all(services.map((service) => service.waitUntilReady()));
const token = await ensureDemoToken({
  identityUrl: databaseUrl(adminUrl, databases.identity),
  gatewayUrl,
  secrets,
  tokenFile: join(devDirectory, "api-token"),
});
await inviteDemoDeveloper(gatewayUrl, token);

say("");
say(styleText("bold", `svc is ready (${((performance.now() - startedAt) / 1_000).toFixed(1)} s)`));
for (const { name, url, opsUrl } of services)
  say(`  ${name.padEnd(13)} ${name === "worker" ? "no API, only jobs    " : url.padEnd(21)}  health ${opsUrl}/readyz`);
say("");
say(`  console       ${gatewayUrl}`);
say(`                sign in as ${DEMO_PEOPLE.map(({ claims }) => claims.email).join(", ")}`);
say(`  API token     ${token}`);
say(`  command line  SVC_API_KEY=${token} tools/svc login --api-url ${gatewayUrl}`);
say(`  try           curl -H "Authorization: Bearer ${token}" ${gatewayUrl}/api/me`);
say("");

async function refuseTakenPort(port: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const probe = createServer();
    probe.once("error", () => {
      say(`Port ${port} is taken. Stop what uses it, or choose other ports: SVC_DEV_PORT=4500 pnpm dev`);
      process.exit(1);
    });
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve()));
  });
}
