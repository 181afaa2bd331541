import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { median } from "./harness.ts";

export interface LoadResult {
  perSecond: number;
  p50Ms: number;
  /** CPU of the processes that were watched, for one request. */
  cpuMicros: number;
}

interface Load {
  url: string;
  headers: Record<string, string>;
  bodies: string[];
  count: number;
  connections: number;
  /** Processes whose CPU is what the answers cost. */
  pids: number[];
}

/** Asks `count` times over as many connections as are given, each asking again as soon as it was answered. */
export async function runLoad({ url, headers, bodies, count, connections, pids }: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies: number[] = [];
  let next = 0;
  const askOn = async (): Promise<void> => {
    while (next < count) {
      const body = bodies[next % bodies.length] ?? "";
      next += 1;
      const startedAt = performance.now();
      await askOnce(agent, url, headers, body);
      latencies.push(performance.now() - startedAt);
    }
  };
  const cpuBefore = cpuMicrosOf(pids);
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, askOn));
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpuMicros = (cpuMicrosOf(pids) - cpuBefore) / count;
  agent.destroy();
  const p50Ms = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length / 2)] ?? 0;
  return { perSecond: count / seconds, p50Ms, cpuMicros };
}

interface Rounds {
  /** Requests of each before anything counts, until the compiler is through with what runs often. */
  warmUp: number;
  perRound: number;
  rounds: number;
}

/** Loads in turn, each first as often as the others. Answers the median of a value over a load's rounds. */
export async function runRounds<Name extends string>(
  runs: Record<Name, (count: number) => Promise<LoadResult>>,
  { warmUp, perRound, rounds }: Rounds,
  report: (line: string) => void,
): Promise<(name: Name, value: keyof LoadResult) => number> {
  const names = Object.keys(runs) as Name[];
  const results = new Map<Name, LoadResult[]>(names.map((name) => [name, []]));
  report("warming up");
  for (const name of names) await runs[name](warmUp);
  for (let round = 0; round < rounds; round += 1) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const result = await runs[name](perRound);
      results.get(name)?.push(result);
      const { perSecond, p50Ms, cpuMicros } = result;
      report(
        `round ${round + 1}/${rounds} ${name}: ${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, ${cpuMicros.toFixed(0)} µs CPU`,
      );
    }
  }
  return (name, value) => median((results.get(name) ?? []).map((one) => one[value]));
}

export function askOnce(agent: Agent, url: string, headers: Record<string, string>, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      {
        agent,
        method: "POST",
        headers: { ...headers, "content-type": "application/json", "content-length": Buffer.byteLength(body) },
      },
      (response) => {
        let text = "";
        if (response.statusCode !== 200) response.on("data", (chunk) => (text += String(chunk)));
        else response.resume();
        response.on("error", reject);
        response.on("end", () =>
          response.statusCode === 200
            ? resolve()
            : reject(new Error(`${url} answered ${response.statusCode}: ${text}`)),
        );
      },
    );
    call.on("error", reject);
    call.end(body);
  });
}

/** User and system time since their start, from the kernel's own count in ticks of 10 ms. */
function cpuMicrosOf(pids: number[]): number {
  return pids.reduce((total, pid) => {
    // The name of the program may hold spaces; the fields after it do not.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return total + (Number(fields[11]) + Number(fields[12])) * 10_000;
  }, 0);
}
