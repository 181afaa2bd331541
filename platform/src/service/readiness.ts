import type { DependencyState, Readiness } from "@svc/contract";

type Check = () => DependencyState | Promise<DependencyState> | Promise<{ state: DependencyState; detail: string }>;

export interface ReadinessChecks {
  add(dependency: string, check: Check): void;
  read(): Promise<Readiness>;
}

const CHECK_LIMIT_MS = 2_000;

export function createReadiness(isDraining: () => boolean): ReadinessChecks {
  const checks = new Map<string, Check>();
  return {
    add: (dependency, check) => void checks.set(dependency, check),
    read: async () => {
      const entries = await Promise.all(
        [...checks].map(async ([name, check]) => [name, await runCheck(check)] as const),
      );
      const dependencies = Object.fromEntries(entries);
      const ready = !isDraining() && entries.every(([, { state }]) => state !== "down");
      return { ready, dependencies };
    },
  };
}

async function runCheck(check: Check): Promise<{ state: DependencyState; detail?: string }> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<"timeout">((resolve) => {
    timer = setTimeout(() => resolve("timeout"), CHECK_LIMIT_MS);
  });
  try {
    const result = await Promise.race([check(), limit]);
    if (result === "timeout") return { state: "down", detail: "did not answer in time" };
    return typeof result === "string" ? { state: result } : result;
  } catch {
    return { state: "down", detail: "the check failed" };
  } finally {
    clearTimeout(timer);
  }
}
