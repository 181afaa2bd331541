import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bench, compareCost } from "./harness.ts";

const ROOT = join(import.meta.dirname, "../../..");
const ROUNDS = 31;
const AT_MOST = 1.6;

export const cliBench: Bench = {
  summary: "CPU of a cold start of svc against that of Node.js doing nothing",
  run: async (report) => {
    const directory = mkdtempSync(join(tmpdir(), "svc-bench-"));
    const svc = join(directory, "svc.cjs");
    const service = await startService();
    try {
      execFileSync(process.execPath, ["--conditions=svc-source", "clients/cli/src/build-bundle.ts", svc], {
        cwd: ROOT,
      });
      const env = {
        PATH: process.env["PATH"],
        SVC_CONFIG_DIR: directory,
        SVC_API_URL: service.url,
        SVC_API_KEY: "svc_key",
      };
      const comparison = { unit: "ms CPU", atMost: AT_MOST, rounds: ROUNDS, floor: () => cpuOf(["-e", "0"], env) };
      return [
        await compareCost(
          { ...comparison, case: "cold start --version", ours: () => cpuOf([svc, "--version"], env) },
          report,
        ),
        await compareCost(
          {
            ...comparison,
            case: "cold start datasource list",
            ours: () => cpuOf([svc, "datasource", "list"], env, service.onRequest),
          },
          report,
        ),
      ];
    } finally {
      service.server.close();
      rmSync(directory, { recursive: true });
    }
  },
};

interface Service {
  server: Server;
  url: string;
  onRequest: (then: () => void) => void;
}

/** Never answers: what is measured is the way to the first request, of which the first bytes are enough. */
async function startService(): Promise<Service> {
  let requested = (): void => undefined;
  const server = createServer((socket) => {
    socket.on("error", () => undefined).once("data", () => requested());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { server, url, onRequest: (then) => (requested = then) };
}

/**
 * The kernel counts a process to the microsecond when it ends; bash tells it to the millisecond. It runs behind this
 * process, which must see the request as soon as it arrives: what svc does after it would count.
 */
const TIMED = `TIMEFORMAT='cpu %3U %3S'; time { nice -n 10 "$@" >/dev/null & echo $!; wait $!; }`;

/** User and system time of a Node.js with these arguments; with `onRequest`, until its request has arrived. */
async function cpuOf(args: string[], env: NodeJS.ProcessEnv, onRequest?: Service["onRequest"]): Promise<number> {
  const shell = spawn("bash", ["-c", TIMED, "bash", process.execPath, ...args], { env });
  let pid = "";
  let timed = "";
  let hasAsked = false;
  onRequest?.(() => {
    hasAsked = true;
    process.kill(Number(pid), "SIGKILL");
  });
  shell.stdout.setEncoding("utf8").on("data", (chunk: string) => (pid += chunk));
  shell.stderr.setEncoding("utf8").on("data", (chunk: string) => (timed += chunk));
  await once(shell, "close");
  const [, user, system] = /^cpu (\d+\.\d+) (\d+\.\d+)$/m.exec(timed) ?? [];
  if (onRequest && !hasAsked) throw new Error(`svc ended before it asked anything: ${timed}`);
  return (Number(user) + Number(system)) * 1_000;
}
