import { expect, it } from "vitest";
import { takeTurns } from "./take-turns.ts";

const { signal } = new AbortController();

it("lets no more act at once than there are places, and all of them in the end", async () => {
  const takeTurn = takeTurns(2);
  let acting = 0;
  let most = 0;
  const act = async (): Promise<void> => {
    acting += 1;
    most = Math.max(most, acting);
    await Promise.resolve();
    acting -= 1;
  };
  const all = await Promise.all(Array.from({ length: 9 }, () => takeTurn(act, signal).then(() => true)));
  expect([all.length, most]).toEqual([9, 2]);
});

it("gives the place on after a failure, and when the one whose turn it is was given up", async () => {
  const takeTurn = takeTurns(1);
  const givenUp = new AbortController();
  const first = takeTurn(() => Promise.reject(new Error("failed")), signal);
  const second = takeTurn(() => Promise.resolve("not wanted"), givenUp.signal);
  const third = takeTurn(() => Promise.resolve("done"), signal);
  givenUp.abort();
  await expect(first).rejects.toThrow("failed");
  await expect(second).rejects.toThrow("abort");
  await expect(third).resolves.toBe("done");
});
