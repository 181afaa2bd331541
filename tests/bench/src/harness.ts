/** A measurement against its floor: the least that the engine underneath needs, taken in the same run. */
export interface BenchCase {
  case: string;
  ours: number;
  floor: number;
  ratio: number;
  unit: string;
  goal: number;
  holds: boolean;
}

export interface Bench {
  summary: string;
  run(report: (line: string) => void): Promise<BenchCase[]>;
}

interface Comparison {
  case: string;
  unit: string;
  /** The least ratio of ours to the floor that is good enough. */
  goal: number;
  rounds: number;
  /** Each answers a rate. They take turns, so that noise of the machine meets both. */
  ours: () => Promise<number>;
  floor: () => Promise<number>;
}

interface CostComparison extends Omit<Comparison, "goal"> {
  /** Each answers what one costs; ours may cost this many times the floor. */
  atMost: number;
}

export async function compareCost(
  { atMost, ...comparison }: CostComparison,
  report: (line: string) => void,
): Promise<BenchCase> {
  const measured = await compare({ ...comparison, goal: atMost }, report);
  return { ...measured, holds: measured.ratio <= atMost };
}

export async function compare(comparison: Comparison, report: (line: string) => void): Promise<BenchCase> {
  const ours: number[] = [];
  const floor: number[] = [];
  for (let round = 1; round <= comparison.rounds; round += 1) {
    // Who goes first changes each round: the second finds warmer caches.
    const turns = [async () => floor.push(await comparison.floor()), async () => ours.push(await comparison.ours())];
    for (const turn of round % 2 === 0 ? turns.toReversed() : turns) await turn();
    report(
      `${comparison.case} round ${round}/${comparison.rounds}: ours ${whole(ours.at(-1))}, floor ${whole(floor.at(-1))} ${comparison.unit}`,
    );
  }
  const ratio = median(ours) / median(floor);
  return {
    case: comparison.case,
    ours: Math.round(median(ours)),
    floor: Math.round(median(floor)),
    ratio: Math.round(ratio * 1_000) / 1_000,
    unit: comparison.unit,
    goal: comparison.goal,
    holds: ratio >= comparison.goal,
  };
}

/** How many a second, when `count` of them took as long as `work` did. */
export async function rateOf(count: number, work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return count / ((performance.now() - startedAt) / 1_000);
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

function whole(value: number | undefined): string {
  return Math.round(value ?? 0).toLocaleString("en");
}

/** A case that was measured otherwise than by turns of two. */
export function toCase(
  name: string,
  unit: string,
  ours: number,
  floor: number,
  goal: { atLeast: number } | { atMost: number },
): BenchCase {
  const ratio = Math.round((ours / floor) * 1_000) / 1_000;
  const holds = "atLeast" in goal ? ratio >= goal.atLeast : ratio <= goal.atMost;
  const rounded = (value: number): number => Math.round(value * 10) / 10;
  return {
    case: name,
    ours: rounded(ours),
    floor: rounded(floor),
    ratio,
    unit,
    goal: "atLeast" in goal ? goal.atLeast : goal.atMost,
    holds,
  };
}
