import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { ConfigError } from "@svc/platform/config";
import { AppError } from "@svc/platform/errors";
import { silentLogger } from "@svc/platform/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  type ProviderStandIn,
  send,
  sendVectors,
  startProviderStandIn,
  vectorOf,
} from "../testing/provider-stand-in.ts";
import type { Embedder } from "./models.ts";
import { openEmbeddingModels } from "./open-models.ts";
import { embeddingModelsSetting } from "./settings.ts";

const KEY = "sk-hunter2";
const QUESTION = "who was paid last spring";
const TIMEOUT_MS = 400;
const never = new AbortController().signal;

let provider: ProviderStandIn;
beforeAll(async () => {
  provider = await startProviderStandIn(KEY, 8);
});
afterAll(() => provider.stop());
afterEach(() => provider.behave());

function open(setting: Record<string, unknown> = {}, env: Record<string, string> = { MODELS_KEY: KEY }): Embedder {
  const model = {
    provider: "openai-compatible",
    base_url: provider.baseUrl,
    api_key_env: "MODELS_KEY",
    dimensions: 8,
    ...setting,
  };
  const settings = embeddingModelsSetting.parse(JSON.stringify({ "my-model": model }));
  const models = openEmbeddingModels(settings, { log: silentLogger(), timeoutMs: TIMEOUT_MS, env });
  return models.find("my-model") as Embedder;
}

async function failureOf(embedding: Promise<unknown>): Promise<AppError> {
  const error = await embedding.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
}

/** The last thing a test of a fault looks at: what it must never say. */
function expectDiscreet(error: AppError): void {
  expect(error.message).toContain("my-model");
  expect(error.message).not.toContain("127.0.0.1");
  expect(inspect(error, { depth: 10 })).not.toContain(QUESTION);
  expect(inspect(error, { depth: 10 })).not.toContain("hunter2");
}

describe("a provider of embeddings", () => {
  it("is asked for one vector for each text, in the order of the texts", async () => {
    provider.behave(({ input }, response) => {
      const data = input.map((text, index) => ({ index, embedding: vectorOf(text, 8) }));
      send(response, 200, { data: data.toReversed() });
    });
    const vectors = await open().embed(["one", "two"], never);
    expect(vectors).toEqual([Float32Array.from(vectorOf("one", 8)), Float32Array.from(vectorOf("two", 8))]);
    expect(provider.asked.at(-1)).toEqual({ model: "my-model", input: ["one", "two"], encoding_format: "float" });
  });

  it("is told its own name of the model, the length and the prefix where the settings say so", async () => {
    await open({ model: "acme/m", send_dimensions: true, query_prefix: "query: " }).embed(["one"], never);
    expect(provider.asked.at(-1)).toMatchObject({ model: "acme/m", input: ["query: one"], dimensions: 8 });
  });

  it("may send its numbers as base64", async () => {
    const bytes = Buffer.from(Float32Array.from(vectorOf("one", 8)).buffer);
    provider.behave((_asked, response) => sendVectors(response, [bytes.toString("base64")]));
    expect(await open().embed(["one"], never)).toEqual([Float32Array.from(vectorOf("one", 8))]);
  });

  it("is asked once more when it had closed the connection that was kept", async () => {
    let calls = 0;
    provider.behave(({ input }, response) => {
      calls += 1;
      if (calls === 1) response.destroy();
      else sendVectors(response, [vectorOf(input[0] ?? "", 8)]);
    });
    expect(await open().embed([QUESTION], never)).toHaveLength(1);
    expect(calls).toBe(2);
  });
});

type Fault = (response: ServerResponse) => void;
const REPEATED = JSON.stringify({ error: { message: `cannot embed "${QUESTION}" with ${KEY}` } });
const refusing =
  (status: number, headers: Record<string, string> = {}): Fault =>
  (response) =>
    void response.writeHead(status, headers).end(REPEATED);
const answering =
  (...vectors: unknown[]): Fault =>
  (response) =>
    sendVectors(response, vectors);
const vector = (change: Record<number, unknown> = {}): unknown[] => Object.assign(vectorOf("x", 8), change);

describe("a provider that fails", () => {
  it.each<[string, Fault, Partial<AppError>]>([
    ["refuses the key", refusing(401), { code: "EMBEDDING_FAILED", retryAfterSeconds: undefined }],
    ["takes no more", refusing(429, { "retry-after": "17" }), { code: "UNAVAILABLE", retryAfterSeconds: 17 }],
    [
      "takes no more, for a day",
      refusing(429, { "retry-after": "86400" }),
      { code: "UNAVAILABLE", retryAfterSeconds: 3_600 },
    ],
    ["takes no more, and says nothing", refusing(429), { code: "UNAVAILABLE", retryAfterSeconds: 5 }],
    ["breaks", refusing(500), { code: "EMBEDDING_FAILED", retryAfterSeconds: 5 }],
    ["does not know the model", refusing(404), { code: "EMBEDDING_FAILED" }],
    ["finds the text too long", refusing(400), { code: "EMBEDDING_FAILED" }],
    [
      "sends us elsewhere",
      refusing(307, { location: "http://127.0.0.1:9/v1/embeddings" }),
      { code: "EMBEDDING_FAILED" },
    ],
    ["hangs up", (response) => void response.destroy(), { code: "EMBEDDING_FAILED", retryAfterSeconds: 5 }],
    ["says nothing", () => undefined, { code: "TIMEOUT" }],
    [
      "stops in the middle",
      (response) => void response.writeHead(200).write('{"data": [{"embedd'),
      { code: "TIMEOUT" },
    ],
    ["writes no JSON", (response) => void response.end(`<html>${QUESTION}`), { code: "EMBEDDING_FAILED" }],
    ["answers null", (response) => send(response, 200, null), { code: "EMBEDDING_FAILED" }],
    ["answers something else", (response) => send(response, 200, { data: ["x"] }), { code: "EMBEDDING_FAILED" }],
    ["sends a vector too many", answering(vector(), vector()), { code: "EMBEDDING_FAILED" }],
    ["sends no vector", answering(), { code: "EMBEDDING_FAILED" }],
    ["sends too short a vector", answering(vector().slice(1)), { code: "EMBEDDING_FAILED" }],
    ["sends too long a vector", answering([...vector(), 1]), { code: "EMBEDDING_FAILED" }],
    ["sends zeros", answering(vector().fill(0)), { code: "EMBEDDING_FAILED" }],
    ["sends next to zeros", answering(vector().fill(1e-30)), { code: "EMBEDDING_FAILED" }],
    ["sends a number beyond single precision", answering(vector({ 3: 1e39 })), { code: "EMBEDDING_FAILED" }],
    ["sends null among the numbers", answering(vector({ 3: null })), { code: "EMBEDDING_FAILED" }],
    ["sends NaN as a word", answering(vector({ 3: "NaN" })), { code: "EMBEDDING_FAILED" }],
    ["sends torn base64", answering("AAAA"), { code: "EMBEDDING_FAILED" }],
  ])("%s: the caller gets a typed problem in time, and learns nothing else", async (_what, fault, expected) => {
    provider.behave((_asked, response) => fault(response));
    const startedAt = performance.now();
    const error = await failureOf(open().embed([QUESTION], never));
    expect(performance.now() - startedAt).toBeLessThan(TIMEOUT_MS + 2_000);
    expect(error).toMatchObject(expected);
    expectDiscreet(error);
  });

  it("names an index twice, and is not believed", async () => {
    provider.behave((_asked, response) => {
      send(response, 200, { data: [0, 0].map((index) => ({ index, embedding: vectorOf("x", 8) })) });
    });
    expect(await failureOf(open().embed([QUESTION, QUESTION], never))).toMatchObject({ code: "EMBEDDING_FAILED" });
  });

  it("cannot fill the memory: no more is read than the vectors can take", async () => {
    let sent = 0;
    provider.behave((_asked, response) => {
      const flood = (): void => {
        while (!response.destroyed && response.write("[".repeat(65_536))) sent += 65_536;
        if (!response.destroyed) response.once("drain", flood);
      };
      flood();
    });
    const error = await failureOf(open().embed([QUESTION], never));
    expect(error).toMatchObject({ code: "EMBEDDING_FAILED" });
    // The rest of what it sent stood in the buffers between us.
    expect(sent).toBeLessThan(20_000_000);
  });

  it("is not there at all: the caller is asked to try again", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as AddressInfo;
    closed.close();
    const error = await failureOf(open({ base_url: `http://127.0.0.1:${port}/v1` }).embed([QUESTION], never));
    expect(error).toMatchObject({ code: "EMBEDDING_FAILED", retryAfterSeconds: 5, cause: { code: "ECONNREFUSED" } });
    expectDiscreet(error);
  });

  it("is left alone as soon as the caller gives up", async () => {
    provider.behave(() => undefined);
    const asking = open().embed([QUESTION], AbortSignal.timeout(20));
    expect(await failureOf(asking)).toMatchObject({ code: "TIMEOUT" });
  });
});

describe("the key of a provider", () => {
  const directory = mkdtempSync(join(tmpdir(), "svc-key-"));
  afterAll(() => rmSync(directory, { recursive: true }));

  it("is read from a file, without the line break at its end", async () => {
    const path = join(directory, "key");
    writeFileSync(path, `${KEY}\n`);
    const embedder = open({ api_key_env: undefined, api_key_file: path });
    expect(await embedder.embed([QUESTION], never)).toHaveLength(1);
  });

  it("need not be there for a provider that asks for none", async () => {
    expect(await failureOf(open({ api_key_env: undefined }).embed([QUESTION], never))).toMatchObject({
      code: "EMBEDDING_FAILED",
      message: expect.stringContaining("key"),
    });
  });

  it.each([
    ["its variable is not set", { api_key_env: "OTHER" }, "api_key_env names a variable that is not set"],
    [
      "its file is not there",
      { api_key_env: undefined, api_key_file: "/no/such" },
      "api_key_file names a file without a key in it",
    ],
    [
      "it has a line break within",
      { api_key_env: "TORN" },
      "api_key_env leads to a key with a character that no header can hold",
    ],
  ])("stops the start when %s, and is not shown", (_what, setting, problem) => {
    const opening = (): unknown => open(setting, { TORN: "sk-\nhunter2" });
    expect(opening).toThrow(ConfigError);
    expect(opening).toThrow(`EMBEDDING_MODELS.my-model.${problem}`);
    expect(opening).not.toThrow("hunter2");
  });
});

describe("models", () => {
  it("are found by their names alone", () => {
    const settings = embeddingModelsSetting.parse('{"a": {"provider": "local", "dimensions": 512}}');
    const models = openEmbeddingModels(settings, { log: silentLogger() });
    expect(models.names()).toEqual(["a"]);
    expect(models.find("a")).toMatchObject({ model: "a", dimensions: 512 });
    expect(models.find("constructor")).toBeUndefined();
  });
});
