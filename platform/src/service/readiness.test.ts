import { readinessSchema } from "@svc/contract";
import { describe, expect, it } from "vitest";
import { createReadiness } from "./readiness.ts";

describe("readiness", () => {
  it.each([
    [["up", "up"], true],
    [["up", "degraded"], true],
    [["degraded", "degraded"], true],
    [["up", "down"], false],
    [["degraded", "down"], false],
  ] as const)("with dependencies %j is %s", async (states, ready) => {
    const readiness = createReadiness(() => false);
    states.forEach((state, index) => readiness.add(`dependency-${index}`, () => state));
    expect((await readiness.read()).ready).toBe(ready);
  });

  it("is there for a service that depends on nothing, and gone while it drains", async () => {
    let draining = false;
    const readiness = createReadiness(() => draining);
    expect(await readiness.read()).toEqual({ ready: true, dependencies: {} });
    draining = true;
    expect(await readiness.read()).toEqual({ ready: false, dependencies: {} });
  });

  it("counts a dependency as down whose check fails or does not come back, and still tells about the others", async () => {
    const readiness = createReadiness(() => false);
    readiness.add("fine", async () => ({ state: "up", detail: "reachable" }));
    readiness.add("broken", async () => {
      throw new Error("password=hunter2");
    });
    readiness.add("throws at once", () => {
      throw new Error("password=hunter2");
    });
    readiness.add("stuck", () => new Promise<never>(() => {}));
    const answer = await readiness.read();
    expect(answer).toEqual({
      ready: false,
      dependencies: {
        fine: { state: "up", detail: "reachable" },
        broken: { state: "down", detail: "the check failed" },
        "throws at once": { state: "down", detail: "the check failed" },
        stuck: { state: "down", detail: "did not answer in time" },
      },
    });
    expect(readinessSchema.safeParse(answer).success).toBe(true);
  });
});
