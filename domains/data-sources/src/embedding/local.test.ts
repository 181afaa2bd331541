import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { recordingLogger } from "@svc/platform/testing";
import { afterAll, describe, expect, it } from "vitest";
import { createLocalModel } from "./local.ts";

const { log } = recordingLogger();
const model = createLocalModel(log);
afterAll(() => model.close());
const never = new AbortController().signal;

const NOTES = [
  "Employees get 28 days of paid holiday a year.",
  "Invoices are paid within thirty days of their arrival.",
  "To reset your password, open the settings and choose security.",
  "The office in the harbour is closed on public holidays.",
  "Refunds go back to the card that was charged.",
  "The server room is cooled to nineteen degrees.",
  "New laptops are ordered through the help desk.",
  "The cafeteria serves a vegetarian dish every day.",
  "Parking is free for visitors in the front yard.",
  "A parcel can be returned at any post office.",
];
const QUESTIONS: [string, number][] = [
  ["How many vacation days do staff have?", 0],
  ["When do we pay our bills?", 1],
  ["I forgot my password, what can I do?", 2],
  ["How do I get my money back?", 4],
  ["How do I get a new computer?", 6],
  ["What can I eat if I eat no meat?", 7],
  ["Where can guests leave their car?", 8],
  ["How do I send a package back?", 9],
];

function similarity(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0);
}

describe("the local model", () => {
  it("finds the note that answers a question among the first three, mostly first", async () => {
    const notes = await model.embed(NOTES, never);
    const questions = await model.embed(
      QUESTIONS.map(([question]) => question),
      never,
    );
    const ranks = QUESTIONS.map(([, wanted], n) => {
      const question = questions[n] as Float32Array;
      const wantedScore = similarity(question, notes[wanted] as Float32Array);
      return notes.filter((note) => similarity(question, note) > wantedScore).length + 1;
    });
    expect(Math.max(...ranks)).toBeLessThanOrEqual(3);
    expect(ranks.filter((rank) => rank === 1).length).toBeGreaterThanOrEqual(6);
  });

  it("gives the same text the same vector, alone or among others, in this thread or the next", async () => {
    const [alone] = await model.embed([NOTES[0] ?? ""], never);
    const [, among] = await model.embed([NOTES[1] ?? "", NOTES[0] ?? "", NOTES[2] ?? ""], never);
    const other = createLocalModel(log);
    const [elsewhere] = await other.embed([NOTES[0] ?? ""], never);
    await other.close();
    expect(alone).toHaveLength(512);
    expect(among).toEqual(alone);
    expect(elsewhere).toEqual(alone);
  });

  it.each([
    ["empty", ""],
    ["a blank", " "],
    ["no English", "日本語のテキスト"],
    ["emoji", "😀".repeat(50)],
    ["half a surrogate pair", "\ud83d"],
    ["a zero byte", "\u0000"],
    ["far longer than it reads", "word ".repeat(400_000)],
  ])("has a vector for a text that is %s", async (_what, text) => {
    const [vector] = await model.embed([text], never);
    expect(vector).toHaveLength(512);
    expect(vector?.every(Number.isFinite)).toBe(true);
  });

  // Another program may hold the core for as long as the computation takes, but not three times in a row.
  it("leaves this thread free: timers come in time while it computes", { retry: 2 }, async () => {
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const startedAt = performance.now();
    await model.embed(
      Array.from({ length: 20 }, (_, n) => `${n} ${NOTES.join(" ")}`),
      never,
    );
    const took = performance.now() - startedAt;
    clearInterval(timer);
    expect(took).toBeGreaterThan(400);
    expect(longest).toBeLessThan(took / 2);
  });

  it("does not compute for those who have given up while they waited", async () => {
    const leaving = new AbortController();
    const before = model.embed([NOTES[0] ?? ""], never);
    const given = model.embed(
      Array.from({ length: 1_000 }, () => NOTES.join(" ")),
      leaving.signal,
    );
    const behind = model.embed([NOTES[1] ?? ""], never);
    leaving.abort(new Error("gone"));
    await expect(given).rejects.toThrow("gone");
    const [vectors] = await Promise.all([behind, before]);
    expect(vectors).toHaveLength(1);
  });

  it("takes nothing more once it is closed", async () => {
    const closing = createLocalModel(log);
    const asked = Promise.allSettled([closing.embed([NOTES[0] ?? ""], never)]);
    await closing.close();
    expect(await asked).toMatchObject([{ status: "rejected", reason: { message: "the models are closed" } }]);
    await expect(closing.embed([NOTES[0] ?? ""], never)).rejects.toThrow("closed");
  });
});

/** A thread that ends or fails when it is told to. */
const FRAGILE = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", ({ texts: [text] }) => {
    if (text === "exit") process.exit(3);
    if (text === "throw") throw new Error("thrown");
    if (text === "fail") parentPort.postMessage({ failed: "reason" });
    else parentPort.postMessage({ vectors: [Float32Array.from([1, 2])] });
  });`;

describe("the thread of the local model", () => {
  it.each(["exit", "throw"])("is replaced after %s, which fails nobody but who was being served", async (end) => {
    const { log, lines } = recordingLogger();
    let started = 0;
    const fragile = createLocalModel(log, () => {
      started += 1;
      return new Worker(FRAGILE, { eval: true, stdout: true, stderr: true });
    });
    const outcomes = await Promise.allSettled(["a", end, "b", "c"].map((text) => fragile.embed([text], never)));
    await fragile.close();
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
    expect(started).toBe(2);
    expect(lines.filter(({ level }) => level === "error")).toHaveLength(1);
  });

  it("goes on after a text that it could not compute", async () => {
    const fragile = createLocalModel(log, () => new Worker(FRAGILE, { eval: true }));
    await expect(fragile.embed(["fail"], never)).rejects.toThrow("the local model failed: reason");
    expect(await fragile.embed(["a"], never)).toEqual([Float32Array.from([1, 2])]);
    await fragile.close();
  });

  it("writes nothing on the console and does not keep a process alive", async () => {
    const script = fileURLToPath(new URL("../testing/embed-once.ts", import.meta.url));
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--conditions=svc-source", script], {
      timeout: 15_000,
    });
    expect({ stdout, stderr }).toEqual({ stdout: "512\n", stderr: "" });
  });
});
