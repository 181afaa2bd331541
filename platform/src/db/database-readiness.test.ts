import { describe, expect, it } from "vitest";
import { recordingLogger, waitUntil } from "../testing/index.ts";
import { waitUntilUp } from "./database-readiness.ts";

describe("waiting for the database", () => {
  it("says what it waits for, and ends when the database is there and migrated", async () => {
    const { log, lines } = recordingLogger();
    let isUp = false;
    let checks = 0;
    const waiting = waitUntilUp(async () => {
      checks += 1;
      return isUp ? { state: "up", detail: "reachable" } : { state: "down", detail: "run the migrations first: a/1" };
    }, log);
    await waitUntil(() => checks === 2);
    isUp = true;
    await waiting;
    expect(checks).toBe(3);
    expect(lines).toMatchObject([
      { level: "warn", detail: "run the migrations first: a/1", msg: "waiting for the database" },
    ]);
  });
});
