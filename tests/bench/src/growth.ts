import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { REVOCATION_CHANNEL } from "@svc/contract";
import { openCache } from "@svc/platform/cache";
import { silentLogger } from "@svc/platform/testing";
import { openAskWorld, createNotesSource } from "./ask-world.ts";
import { addSources, type GrowthWorld, openGrowthWorld } from "./growth-world.ts";
import { type Bench, type BenchCase, median, toCase } from "./harness.ts";
import { askOnce } from "./http-load.ts";

const SCALES = [10, 1_000, 100_000];
const SAMPLES = 10;
const PER_ROUND = 300;
const ROUNDS = 7;
const SOURCES = 2_000;

export const growthBench: Bench = {
  summary: `A question among ${SCALES.join(", ")} organizations, and the memory of a gateway that is asked ${SOURCES} sources in turn`,
  run: async (report) => [...(await measureGrowth(report)), await measureMemory(report)],
};

async function measureGrowth(report: (line: string) => void): Promise<BenchCase[]> {
  const worlds: ForgetfulWorld[] = [];
  try {
    for (const orgs of SCALES) worlds.push(forgetful(await openGrowthWorld(orgs, SAMPLES, report)));
    const costs = worlds.map((): number[] => []);
    for (const world of worlds) await askRound(world);
    for (let round = 0; round < ROUNDS; round += 1) {
      // Who goes first changes each round.
      for (let turn = 0; turn < worlds.length; turn += 1) {
        const index = (turn + round) % worlds.length;
        const world = worlds[index];
        if (world) costs[index]?.push(await askRound(world));
      }
      report(
        `round ${round + 1}/${ROUNDS}: ${costs.map((list) => Math.round(list.at(-1) ?? 0)).join(", ")} µs a question`,
      );
    }
    const [smallest = 0, ...larger] = costs.map(median);
    return larger.map((cost, index) => {
      const orgs = (SCALES[index + 1] ?? 0).toLocaleString("en");
      return toCase(`${orgs} organizations`, "µs", cost, smallest, { atMost: 1.25 });
    });
  } finally {
    for (const world of worlds) await world.close();
  }
}

interface ForgetfulWorld extends GrowthWorld {
  /** Empties what the gateway remembers of sources and tokens. */
  forget(): Promise<void>;
}

function forgetful(world: GrowthWorld): ForgetfulWorld {
  const cache = openCache(world.services.redisUrl, silentLogger());
  return {
    ...world,
    forget: async () => {
      await cache.publish("svc:data-sources", "");
      await cache.publish(REVOCATION_CHANNEL, "");
    },
    close: async () => {
      await cache.close();
      await world.close();
    },
  };
}

/** Microseconds until an answer, over organizations in turn, each read from both databases anew. */
async function askRound({ gateway, tokens, forget }: ForgetfulWorld): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const url = `${gateway.url}/api/wf/slim/data-sources/db_notes/query`;
  const times: number[] = [];
  for (let n = 0; n < PER_ROUND; n += 1) {
    await forget();
    const headers = { authorization: `Bearer ${tokens[n % tokens.length]}`, accept: "application/json" };
    const startedAt = performance.now();
    await askOnce(agent, url, headers, JSON.stringify({ query: `question ${n % 5}` }));
    times.push((performance.now() - startedAt) * 1_000);
  }
  agent.destroy();
  return median(times);
}

async function measureMemory(report: (line: string) => void): Promise<BenchCase> {
  const world = await openAskWorld();
  try {
    await createNotesSource(world, "notes", 1_000);
    const names = Array.from({ length: SOURCES }, (_, n) => `s${n}`);
    report(`making ${SOURCES} sources`);
    await addSources(world, names);
    const askAll = async (some: string[]): Promise<void> => {
      for (const name of some)
        await world.call("POST", `/api/wf/slim/data-sources/db_${name}/query`, { query: `of ${name}` });
    };
    await askAll(names.slice(0, 300));
    const floor = residentMb(world.gateway.process.pid);
    report(`asked 300 sources: ${floor} MB`);
    await askAll(names);
    report(`asked all of them: ${residentMb(world.gateway.process.pid)} MB`);
    await askAll(names);
    const ours = residentMb(world.gateway.process.pid);
    report(`and again: ${ours} MB`);
    return toCase(`memory, ${SOURCES.toLocaleString("en")} sources in turn`, "MB resident", ours, floor, {
      atMost: 1.3,
    });
  } finally {
    await world.close();
  }
}

function residentMb(pid: number | undefined): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kilobytes) / 1_024);
}
