import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { givingUp } from "./give-up.ts";

const response = (): ServerResponse => new EventEmitter() as unknown as ServerResponse;
const never = new Promise<never>(() => {});

it("waits for what was begun and leaves nothing behind", async () => {
  const connection = response();
  const { signal, wait } = givingUp(connection, 60_000);
  expect(await wait(Promise.resolve(7))).toBe(7);
  expect(connection.listenerCount("close")).toBe(0);
  connection.emit("close");
  expect(signal.aborted).toBe(false);
});

it("passes on what went wrong", async () => {
  await expect(givingUp(response(), 60_000).wait(Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});

it("gives up what does not end", async () => {
  const { signal, wait } = givingUp(response(), 20);
  await expect(wait(never)).rejects.toMatchObject({ code: "TIMEOUT", message: expect.stringContaining("too long") });
  expect(signal.aborted).toBe(true);
});

it("gives up what nobody waits for", async () => {
  const connection = response();
  const { signal, wait } = givingUp(connection, 60_000);
  const waiting = wait(never);
  connection.emit("close");
  await expect(waiting).rejects.toMatchObject({ code: "TIMEOUT", message: "The caller went away." });
  expect(signal.reason).toMatchObject({ code: "TIMEOUT" });
});
