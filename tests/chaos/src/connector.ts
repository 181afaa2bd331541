import { setTimeout as sleep } from "node:timers/promises";
import { waitUntil } from "@svc/platform/testing";
import { type ChaosAgent, createAgent, STEPS } from "./connector-agent.ts";
import { openBrowser } from "./connector-browser.ts";
import { judge } from "./connector-judge.ts";
import { connectAgent, discoverTokenServer, registerClient, signIn } from "./connector-oauth.ts";
import { openWorld, type World } from "./connector-world.ts";
import { type ChaosResult, type ChaosRun, randomBetween } from "./harness.ts";

const ORGS = 2;
const PEOPLE_OF_ORG = 20;
/** Programs on people's own machines; each person has all of them. No more may register for one origin. */
const CLIENTS = 5;
const AGENTS = ORGS * PEOPLE_OF_ORG * CLIENTS;

const FAULTS = ["kill", "kill", "kill", "freeze", "kill", "kill"] as const;
const FREEZE_MS = 12_000;
/** In each round, at moments that have nothing to do with the fault, or in the middle of a renewal. */
const DISCONNECTED_PER_ROUND = [4, 4, 3, 3, 3, 3];
const ROUND_MS = 8_000;

/** Longer than it may take, to know by how much it was missed. */
const GIVE_UP_MS = 30_000;

export const connectorChaos: ChaosRun = {
  summary: `${AGENTS} agents list, ask and renew their tokens while the auth service is killed and frozen, and some agents disconnected`,
  run: async (report) => {
    report("starting a whole svc");
    const world = await openWorld(ORGS, PEOPLE_OF_ORG);
    try {
      const agents = await connectAgents(world);
      report(`${agents.length} agents are connected`);
      return await breakAuthService(world, agents, report);
    } finally {
      await world.close();
    }
  },
};

async function connectAgents({ base, mcpUrl, people }: World): Promise<ChaosAgent[]> {
  const server = await discoverTokenServer(mcpUrl);
  const clients: string[] = [];
  for (let n = 0; n < CLIENTS; n += 1) clients.push(await registerClient(server, `Chaos ${n}`));
  const agents: ChaosAgent[] = [];
  const waiting = [...people];
  const connectOn = async (): Promise<void> => {
    for (let person = waiting.pop(); person; person = waiting.pop()) {
      const browser = openBrowser();
      await signIn(browser, base, person.sub);
      for (const clientId of clients) {
        const tokens = await connectAgent(browser, server, clientId);
        agents.push(createAgent({ mcpUrl, server, clientId }, person, tokens));
      }
    }
  };
  await Promise.all(Array.from({ length: 4 }, connectOn));
  return agents;
}

async function breakAuthService(
  world: World,
  agents: ChaosAgent[],
  report: (line: string) => void,
): Promise<ChaosResult> {
  let isOver = false;
  const working = Promise.all(agents.map((agent) => agent.work(() => isOver)));
  // What it was is thrown at the end; until then the others go on.
  working.catch(() => undefined);
  const gaps: number[] = [];
  let idle: ChaosAgent[];
  try {
    await allAnswered(agents, performance.now());
    for (const [round, fault] of FAULTS.entries()) {
      const [gap] = await Promise.all([
        breakOnce(world, agents, fault, (line) => report(`fault ${round + 1}, ${line}`)),
        disconnectSome(world, agents, DISCONNECTED_PER_ROUND[round] ?? 0),
      ]);
      gaps.push(gap);
    }
    idle = await wholeRound(agents);
  } finally {
    isOver = true;
    await working;
  }
  await Promise.all(agents.filter(({ endedAt }) => endedAt !== undefined).map((agent) => agent.tryAllTokens()));
  const expected = AGENTS - DISCONNECTED_PER_ROUND.reduce((total, count) => total + count);
  return judge(world, agents, { gaps, expected, idle }, report);
}

/** Seconds from when the service listens again until every agent works again. */
async function breakOnce(
  world: World,
  agents: ChaosAgent[],
  fault: (typeof FAULTS)[number],
  report: (line: string) => void,
): Promise<number> {
  await sleep(randomBetween(2_000, 4_000));
  const countRenewing = (): number =>
    agents.filter(({ isRenewing, endingSince }) => isRenewing && endingSince === undefined).length;
  await waitUntil(() => countRenewing() > 0, GIVE_UP_MS, "a renewal under way");
  const renewing = countRenewing();
  const brokenAt = performance.now();
  await (fault === "kill" ? world.killAuth() : world.freezeAuth(FREEZE_MS));
  const backAt = performance.now();
  const gap = await allAnswered(agents, backAt);
  const away = (backAt - brokenAt) / 1_000;
  report(
    `a ${fault} with ${renewing} renewals under way: away for ${away.toFixed(1)} s; every agent works again ` +
      `${gap.toFixed(1)} s later, ${(away + gap).toFixed(1)} s after the fault`,
  );
  return gap;
}

/**
 * Seconds until each agent that is connected was answered again; its own pause is in it. A call that fails is tried
 * until it is answered, so that whoever cannot renew is not counted for what it did before.
 */
async function allAnswered(agents: ChaosAgent[], since: number): Promise<number> {
  const firstOf = ({ successes, endingSince }: ChaosAgent): number =>
    endingSince === undefined ? (successes.find(({ at }) => at >= since)?.at ?? Infinity) : since;
  const longest = (): number => (Math.max(...agents.map(firstOf)) - since) / 1_000;
  await waitUntil(() => longest() < Infinity, GIVE_UP_MS).catch(() => undefined);
  return Math.min(longest(), GIVE_UP_MS / 1_000);
}

/** Gives every agent that is connected the time to list, ask and renew; answers with those that could not. */
async function wholeRound(agents: ChaosAgent[]): Promise<ChaosAgent[]> {
  const since = performance.now();
  const isIdle = ({ successes, endingSince }: ChaosAgent): boolean =>
    endingSince === undefined &&
    STEPS.some((step) => !successes.some((done) => done.step === step && done.at >= since));
  await waitUntil(() => !agents.some(isIdle), GIVE_UP_MS).catch(() => undefined);
  return agents.filter(isIdle);
}

async function disconnectSome({ base }: World, agents: ChaosAgent[], count: number): Promise<void> {
  const connected = agents.filter(({ endingSince }) => endingSince === undefined);
  const chosen = connected.toSorted(() => Math.random() - 0.5).slice(0, count);
  await Promise.all(
    chosen.map(async (agent, n) => {
      await sleep(randomBetween(0, ROUND_MS));
      // Every other one while it gets new tokens, which must not outlive the grant.
      if (n % 2 === 0) await agent.nextRenewal();
      await agent.disconnect(base);
    }),
  );
}
