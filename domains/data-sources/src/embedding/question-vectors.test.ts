import { AppError } from "@svc/platform/errors";
import { describe, expect, it } from "vitest";
import { createCustomerDatabase } from "../testing/customer-database.ts";
import type { Embedder, EmbeddingModels } from "./models.ts";
import { createQuestionVectors } from "./question-vectors.ts";

interface Counted {
  models: EmbeddingModels;
  calls: () => number;
}

/** Models whose calls can be counted, and answered by the test. */
function countedModels(embed: Embedder["embed"]): Counted {
  let calls = 0;
  const find = (model: string): Embedder | undefined =>
    model.startsWith("known")
      ? {
          model,
          dimensions: 3,
          isLocal: true,
          embed: (texts, signal) => {
            calls += 1;
            return embed(texts, signal);
          },
        }
      : undefined;
  return { models: { find, names: () => ["known"], close: async () => undefined }, calls: () => calls };
}

const lengthOf: Embedder["embed"] = async ([text = ""]) => [Float32Array.from([text.length, 0.5, -2])];

describe("vectors of questions", () => {
  it("are what the database reads as a vector", async () => {
    const database = await createCustomerDatabase();
    try {
      const vectors = createQuestionVectors(countedModels(lengthOf).models);
      const { rows } = await database.owner.query("select $1::vector::text as vector", [
        await vectors.get("known", "seven77"),
      ]);
      expect(rows).toEqual([{ vector: "[7,0.5,-2]" }]);
    } finally {
      await database.drop();
    }
  });

  it("are asked for once for each question and model", async () => {
    const { models, calls } = countedModels(lengthOf);
    const vectors = createQuestionVectors(models);
    const first = await vectors.get("known", "question");
    expect(await vectors.get("known", "question")).toBe(first);
    expect(calls()).toBe(1);
    await vectors.get("known", "question ");
    await vectors.get("known-too", "question");
    expect(calls()).toBe(3);
  });

  it("are shared by those who ask the same at the same time", async () => {
    const pending = Promise.withResolvers<Float32Array[]>();
    const { models, calls } = countedModels(() => pending.promise);
    const vectors = createQuestionVectors(models);
    const asked = Array.from({ length: 50 }, () => vectors.get("known", "question"));
    pending.resolve([Float32Array.from([1, 2, 3])]);
    expect(new Set(await Promise.all(asked)).size).toBe(1);
    expect(calls()).toBe(1);
  });

  it("do not depend on who asked first, and may have left: the call ends by its own timeout alone", async () => {
    let signal: AbortSignal | undefined;
    const pending = Promise.withResolvers<Float32Array[]>();
    const { models } = countedModels((_texts, given) => {
      signal = given;
      return pending.promise;
    });
    const vectors = createQuestionVectors(models, { timeoutMs: 60_000 });
    const leaving = new AbortController();
    const gone = Promise.race([
      vectors.get("known", "question"),
      new Promise((_resolve, reject) => {
        leaving.signal.addEventListener("abort", () => reject(new Error("gone")));
      }),
    ]);
    const staying = vectors.get("known", "question");
    leaving.abort();
    await expect(gone).rejects.toThrow("gone");
    expect(signal?.aborted).toBe(false);
    pending.resolve([Float32Array.from([1, 2, 3])]);
    expect(await staying).toHaveLength(16);
  });

  it("are asked for again after a failure, which all who waited get to know", async () => {
    let isDown = true;
    const { models, calls } = countedModels(async (texts, signal) => {
      if (isDown) throw new AppError("EMBEDDING_FAILED", "down");
      return lengthOf(texts, signal);
    });
    const vectors = createQuestionVectors(models);
    const asked = await Promise.allSettled([vectors.get("known", "question"), vectors.get("known", "question")]);
    expect(asked.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    isDown = false;
    expect(await vectors.get("known", "question")).toHaveLength(16);
    expect(calls()).toBe(2);
  });

  it("are given up after the timeout", async () => {
    const { models } = countedModels(
      (_texts, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        }),
    );
    const vectors = createQuestionVectors(models, { timeoutMs: 20 });
    await expect(vectors.get("known", "question")).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it.each([
    ["zeros", [0, 0, 0]],
    ["NaN", [1, Number.NaN, 1]],
    ["infinity", [1, Number.POSITIVE_INFINITY, 1]],
  ])("are refused when they hold %s", async (_what, values) => {
    const vectors = createQuestionVectors(countedModels(async () => [Float32Array.from(values)]).models);
    await expect(vectors.get("known", "question")).rejects.toMatchObject({ code: "EMBEDDING_FAILED" });
  });

  it("of a model that is no longer set up are a problem of the configuration", async () => {
    const vectors = createQuestionVectors(countedModels(lengthOf).models);
    await expect(vectors.get("gone", "question")).rejects.toMatchObject({
      code: "SEARCH_CONFIGURATION_STALE",
      message: expect.stringContaining('"gone"'),
    });
  });

  it("take no more memory than was set: the one not asked for the longest makes room", async () => {
    const { models, calls } = countedModels(lengthOf);
    const vectors = createQuestionVectors(models, { maxBytes: 1_000 });
    for (const question of ["one", "two", "three", "one", "four"]) await vectors.get("known", question);
    expect(calls()).toBe(4);
    await vectors.get("known", "one");
    await vectors.get("known", "four");
    expect(calls()).toBe(4);
    await vectors.get("known", "two");
    expect(calls()).toBe(5);
  });
});
