import type { ChaosAgent } from "./connector-agent.ts";
import { countLiveGrants } from "./connector-count.ts";
import type { World } from "./connector-world.ts";
import type { ChaosResult } from "./harness.ts";

const LONGEST_GAP_SECONDS = 15;
const SHOWN = 10;

interface Observed {
  /** One for each fault: seconds from when the service listened again until every agent was answered. */
  gaps: number[];
  /** Agents that nobody was to disconnect. */
  expected: number;
  /** Connected agents that did not get through all they do after the last fault. */
  idle: ChaosAgent[];
}

/**
 * - lost: agents that nobody disconnected and that are not in the list any more, not in the database, were refused
 *   once, which would have made their person sign in again, or do not work at the end
 * - doubled: second grants of one person and client, and grants with more refresh tokens to use than can be explained:
 *   the agent's own, and one for each renewal whose answer it never got
 * - leaked: calls and renewals begun after the disconnection was acknowledged and carried out all the same, and
 *   disconnected grants that are still listed or alive in the database
 */
export async function judge(
  world: World,
  agents: ChaosAgent[],
  { gaps, expected, idle }: Observed,
  report: (line: string) => void,
): Promise<ChaosResult> {
  const { listed, kept, seconds, unusedRefreshTokens } = await countLiveGrants(world);
  const connected = agents.filter(({ endingSince }) => endingSince === undefined);
  const ended = agents.filter(({ endedAt }) => endedAt !== undefined);
  const isAlive = ({ grantId }: ChaosAgent): boolean => listed.has(grantId) && kept.has(grantId);
  const isForked = ({ grantId, unansweredRenewals }: ChaosAgent): boolean =>
    (unusedRefreshTokens.get(grantId) ?? 0) > 1 + unansweredRenewals;
  const isLost = (agent: ChaosAgent): boolean => !isAlive(agent) || agent.refusals > 0 || idle.includes(agent);

  const seen = connected.filter(isAlive).length;
  const lost = connected.filter(isLost).length;
  const doubled = seconds + connected.filter(isForked).length;
  const undead = ended.filter(({ grantId }) => listed.has(grantId) || kept.has(grantId)).length;
  const leaked = undead + sum(ended, ({ leaks }) => leaks);
  const broken = [...agents.flatMap((agent) => agent.broken), ...errorLines(world)];
  for (const why of [...new Set(broken)].slice(0, SHOWN)) report(`broken: ${why.slice(0, 1_000)}`);
  report(
    `${sum(agents, ({ successes }) => successes.length)} calls answered, ${ended.length} agents disconnected, ` +
      `${sum(agents, ({ unansweredRenewals }) => unansweredRenewals)} renewals without an answer, of which ` +
      `${sum([...unusedRefreshTokens.values()], (unused) => unused - 1)} had been carried out; ` +
      `${broken.length} answers or log lines that must not be`,
  );
  const longest_gap_s = Math.round(Math.max(...gaps) * 10) / 10;
  const isClean = lost + doubled + leaked + broken.length === 0;
  const holds = isClean && seen === expected && longest_gap_s > 0 && longest_gap_s <= LONGEST_GAP_SECONDS;
  return { faults: gaps.length, expected, seen, lost, doubled, leaked, longest_gap_s, holds };
}

/** Services are told to print errors alone. */
function errorLines({ stack }: World): string[] {
  return Object.entries(stack.lines).flatMap(([service, lines]) => lines.map((line) => `${service}: ${line}`));
}

function sum<T>(items: T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
