import { configDefaults, defineConfig } from "vitest/config";

/** Packages are read from source, as `node --conditions=svc-source` does. Also given to Node, where "import" would apply to require. */
const conditions = ["svc-source", "node"];

/** They set up what a process has once, its telemetry. */
const WITH_A_PROCESS_EACH = ["platform/src/{telemetry,service}/**/*.test.ts"];

/** They measure time, or write into the sources that others read. */
const ALONE = ["tests/e2e/src/{boundaries,flood,tokens}.test.ts"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // A condition that is waited for may take as long as on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    // Two cores, and a real Postgres beside the tests.
    maxWorkers: 2,
    // Files share a process, and what they import is loaded once for all: 40 % of the CPU was that.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: "units",
          include: ["{contract,platform,domains,services,clients,tools}/**/src/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...WITH_A_PROCESS_EACH],
        },
      },
      {
        extends: true,
        test: { name: "units-apart", include: WITH_A_PROCESS_EACH, isolate: true },
      },
      {
        extends: true,
        // Whole services, with a PostgreSQL and a Redis of their own: two files do not meet.
        test: {
          name: "e2e",
          include: ["tests/e2e/src/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...ALONE],
          globalSetup: "tests/e2e/src/build-console-once.ts",
          testTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "e2e-alone",
          include: ALONE,
          fileParallelism: false,
          testTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
