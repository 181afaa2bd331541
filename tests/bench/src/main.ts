import { parseArgs } from "node:util";
import type { Bench } from "./harness.ts";

const BENCHES: Record<string, () => Promise<Bench>> = {
  cli: async () => (await import("./cli.ts")).cliBench,
  console: async () => (await import("./console.ts")).consoleBench,
  ask: async () => (await import("./ask.ts")).askBench,
  growth: async () => (await import("./growth.ts")).growthBench,
  mcp: async () => (await import("./mcp.ts")).mcpBench,
  jobs: async () => (await import("./jobs.ts")).jobsBench,
  outbox: async () => (await import("./outbox.ts")).outboxBench,
  recall: async () => (await import("./recall.ts")).recallBench,
  validate: async () => (await import("./validate.ts")).validateBench,
};

const HELP = `usage: pnpm bench <name> [--json]

Measures a part of svc against its floor, the bare engine underneath, in one run. The exit code is 0 only
where every goal holds. Needs the services: tools/services start

  names    ${Object.keys(BENCHES).join(", ")}

Example: pnpm bench outbox --json
`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean" }, help: { type: "boolean" } },
});
const name = positionals[0] ?? "";
const load = BENCHES[name];
if (values.help || !load) {
  (values.help ? process.stdout : process.stderr).write(HELP);
  process.exit(values.help ? 0 : 1);
}

const bench = await load();
const cases = await bench.run((line) => process.stderr.write(`${line}\n`));
if (values.json) process.stdout.write(`${JSON.stringify({ name, cases })}\n`);
else {
  process.stdout.write(`${bench.summary}\n`);
  for (const { case: what, ours, floor, ratio, unit, goal, holds } of cases) {
    process.stdout.write(
      `  ${holds ? "holds" : "MISSES"}  ${what}: ${ours} of ${floor} ${unit}, ratio ${ratio} (goal ${goal})\n`,
    );
  }
}
process.exitCode = cases.every(({ holds }) => holds) ? 0 : 1;
