import { parseArgs } from "node:util";
import type { ChaosRun } from "./harness.ts";

const RUNS: Record<string, () => Promise<ChaosRun>> = {
  connector: async () => (await import("./connector.ts")).connectorChaos,
  jobs: async () => (await import("./jobs.ts")).jobsChaos,
  outbox: async () => (await import("./outbox.ts")).outboxChaos,
};

const HELP = `usage: pnpm chaos <name> [--json]

Breaks a part of svc while it works and counts what was lost, doubled or leaked. The exit code is 0 only where
nothing was. Needs the services: tools/services start

  names    ${Object.keys(RUNS).join(", ")}

Example: pnpm chaos jobs --json
`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean" }, help: { type: "boolean" } },
});
const name = positionals[0] ?? "";
const load = RUNS[name];
if (values.help || !load) {
  (values.help ? process.stdout : process.stderr).write(HELP);
  process.exit(values.help ? 0 : 1);
}

const chaos = await load();
const result = await chaos.run((line) => process.stderr.write(`${line}\n`));
if (values.json) process.stdout.write(`${JSON.stringify({ name, ...result })}\n`);
else {
  process.stdout.write(`${chaos.summary}\n`);
  for (const [what, value] of Object.entries(result)) process.stdout.write(`  ${what.padEnd(14)} ${value}\n`);
}
process.exitCode = result.holds ? 0 : 1;
