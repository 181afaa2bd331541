import { defineConfig } from "vitest/config";

/** Packages are read from source, as `node --conditions=svc-source` does. Also given to Node, where "import" would apply to require. */
const conditions = ["svc-source", "node"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Two cores, and a real Postgres beside the tests.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: { name: "units", include: ["{contract,platform,domains,services,clients,tools}/**/src/**/*.test.ts"] },
      },
      {
        extends: true,
        // Starts whole services and breaks what they stand on: one file at a time.
        test: { name: "e2e", include: ["tests/e2e/src/**/*.test.ts"], fileParallelism: false, testTimeout: 120_000 },
      },
    ],
  },
});
