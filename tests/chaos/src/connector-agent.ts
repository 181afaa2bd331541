import { setTimeout as sleep } from "node:timers/promises";
import { callTool, disconnect, type Outcome, renewTokens } from "./connector-calls.ts";
import { grantIdOf, type Tokens, type TokenServer } from "./connector-oauth.ts";
import type { WorldPerson } from "./connector-world.ts";
import { randomBetween } from "./harness.ts";

export const STEPS = ["list", "ask", "renew"] as const;
type Step = (typeof STEPS)[number];

const HITS = 3;
/** Between two calls of an agent. A service that has just been started anew is not to be drowned as well. */
const SHORTEST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 6_000;
/** It is asked to wait a second before it tries again, and waits longer each time, up to this much. */
const MOST_PATIENT = 2;

export interface ChaosAgent {
  grantId: string;
  /** Answered as it should be: which step, and when. */
  successes: { step: Step; at: number }[];
  isRenewing: boolean;
  /** Settles as it sends its next one. */
  nextRenewal(): Promise<void>;
  /** Renewals that it had to try again. */
  unansweredRenewals: number;
  /** Told that it is not connected, though nobody had begun to disconnect it. */
  refusals: number;
  /** Calls begun after the disconnection was acknowledged, and answered all the same. */
  leaks: number;
  broken: string[];
  /** Since somebody began to disconnect it, and since they were told that it is done. */
  endingSince: number | undefined;
  endedAt: number | undefined;
  /** Lists, asks and renews in turn, and goes on trying after it was disconnected. */
  work(isOver: () => boolean): Promise<void>;
  disconnect(base: string): Promise<void>;
  /** Tries every token it ever had once more. */
  tryAllTokens(): Promise<void>;
}

interface Connection {
  mcpUrl: string;
  server: TokenServer;
  clientId: string;
}

export function createAgent({ mcpUrl, server, clientId }: Connection, person: WorldPerson, first: Tokens): ChaosAgent {
  const { sourceId } = person.org;
  const had: Tokens[] = [first];
  const watchers: (() => void)[] = [];

  const listSources = async (token: string): Promise<Outcome> =>
    checked(await callTool(mcpUrl, token, "data_sources_list", {}), ({ items }) =>
      items.some(({ id }: { id: string }) => id === sourceId),
    );

  const perform: Record<Step, (tokens: Tokens) => Promise<Outcome>> = {
    list: ({ access_token }) => listSources(access_token),
    ask: async ({ access_token }) => {
      const question = { source_id: sourceId, query: `What about ${Math.round(randomBetween(0, 50))}?`, top_k: HITS };
      return checked(
        await callTool(mcpUrl, access_token, "data_source_query", question),
        ({ count, results }) =>
          count === HITS && results.every(({ title }: { title: string }) => title.startsWith(sourceId)),
      );
    },
    renew: async ({ refresh_token }) => {
      agent.isRenewing = true;
      const renewing = renewTokens(server, clientId, refresh_token);
      for (const tell of watchers.splice(0)) tell();
      const outcome = await renewing;
      agent.isRenewing = false;
      if (outcome.kind === "done") had.push(outcome.value);
      // Kept as it is and shown again: what came of it nobody can tell.
      if (outcome.kind === "away") agent.unansweredRenewals += 1;
      return outcome;
    },
  };

  const tryStep = async (step: Step, tokens: Tokens): Promise<Outcome["kind"]> => {
    const startedAt = performance.now();
    const outcome = await perform[step](tokens);
    if (outcome.kind === "done" && agent.endedAt !== undefined && startedAt > agent.endedAt) agent.leaks += 1;
    else if (outcome.kind === "done") agent.successes.push({ step, at: performance.now() });
    if (outcome.kind === "refused" && agent.endingSince === undefined) agent.refusals += 1;
    if (outcome.kind === "broken") agent.broken.push(outcome.why);
    return outcome.kind;
  };

  /** What it uses: the newest, and once it was disconnected any that it had. */
  const chooseTokens = (): Tokens => {
    const newest = had.length - 1;
    const at = agent.endedAt === undefined ? newest : Math.round(randomBetween(0, newest));
    return had[at] ?? first;
  };

  const agent: ChaosAgent = {
    grantId: grantIdOf(first),
    successes: [],
    isRenewing: false,
    nextRenewal: () => new Promise((resolve) => watchers.push(resolve)),
    unansweredRenewals: 0,
    refusals: 0,
    leaks: 0,
    broken: [],
    endingSince: undefined,
    endedAt: undefined,
    work: async (isOver) => {
      await sleep(randomBetween(0, LONGEST_PAUSE_MS));
      for (let n = 0; !isOver(); n += 1) {
        const step = STEPS[n % STEPS.length] ?? "list";
        for (let tries = 1; (await tryStep(step, chooseTokens())) === "away" && !isOver(); tries += 1) {
          await sleep(Math.min(tries, MOST_PATIENT) * randomBetween(1_000, 2_000));
        }
        await sleep(randomBetween(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS));
      }
    },
    disconnect: async (base) => {
      agent.endingSince = performance.now();
      let outcome = await disconnect(base, person.token, agent.grantId);
      const wasLost = outcome.kind === "away";
      while (outcome.kind === "away") {
        await sleep(randomBetween(100, 500));
        outcome = await disconnect(base, person.token, agent.grantId);
      }
      // Not there any more: so said the answer that was lost.
      if (outcome.kind === "done" || (outcome.kind === "refused" && wasLost)) agent.endedAt = performance.now();
      else agent.broken.push(outcome.kind === "broken" ? outcome.why : "there was nothing to disconnect");
    },
    tryAllTokens: async () => {
      for (const tokens of had) {
        for (const step of ["list", "renew"] as const) {
          const kind = await tryStep(step, tokens);
          if (kind === "away") throw new Error("the service is away although nobody has touched it");
        }
      }
    },
  };
  return agent;
}

/** An answer that is not this organization's own is worse than none. */
function checked(outcome: Outcome, isRight: (value: any) => boolean): Outcome {
  if (outcome.kind !== "done" || isRight(outcome.value)) return outcome;
  return { kind: "broken", why: `a wrong answer: ${JSON.stringify(outcome.value)}` };
}
