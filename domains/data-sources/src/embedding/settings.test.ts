import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConfigError, readConfig, reportConfigProblems } from "@svc/platform/config";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { embeddingModelsSetting } from "./settings.ts";

const settings = z.object({ EMBEDDING_MODELS: embeddingModelsSetting });

function read(text: string | undefined): unknown {
  return readConfig(settings, { EMBEDDING_MODELS: text }).EMBEDDING_MODELS;
}

function problemsOf(text: string): string[] {
  try {
    read(text);
  } catch (error) {
    return (error as ConfigError).problems.map(({ setting, message }) => `${setting} ${message}`);
  }
  throw new Error("the settings were taken");
}

const MODELS = `
bge-m3:
  provider: openai-compatible
  base_url: https://models.example.com/v1/
  api_key_env: MODELS_KEY
  dimensions: 1024
text-embedding-3-small:
  provider: openai-compatible
  base_url: http://localhost:11434/v1
  api_key_file: /run/secrets/key
  dimensions: 512
  model: openai/text-embedding-3-small
  send_dimensions: true
  query_prefix: "query: "
quick-start: {provider: local, dimensions: 512}
`;

describe("EMBEDDING_MODELS", () => {
  it("names no model when it is not set", () => {
    expect(read(undefined)).toEqual({});
    expect(read("# none yet")).toEqual({});
  });

  it("is read as YAML, with what can be left out filled in", () => {
    expect(read(MODELS)).toEqual({
      "bge-m3": {
        provider: "openai-compatible",
        base_url: "https://models.example.com/v1",
        api_key_env: "MODELS_KEY",
        dimensions: 1_024,
        send_dimensions: false,
        query_prefix: "",
      },
      "text-embedding-3-small": {
        provider: "openai-compatible",
        base_url: "http://localhost:11434/v1",
        api_key_file: "/run/secrets/key",
        dimensions: 512,
        model: "openai/text-embedding-3-small",
        send_dimensions: true,
        query_prefix: "query: ",
      },
      "quick-start": { provider: "local", dimensions: 512 },
    });
  });

  it("is read as JSON just as well, and from a file", () => {
    const directory = mkdtempSync(join(tmpdir(), "svc-models-"));
    const path = join(directory, "models");
    writeFileSync(path, '{"quick-start": {"provider": "local", "dimensions": 512}}\n');
    const config = readConfig(settings, { EMBEDDING_MODELS_FILE: path });
    rmSync(directory, { recursive: true });
    expect(config.EMBEDDING_MODELS).toEqual({ "quick-start": { provider: "local", dimensions: 512 } });
  });

  it("has all its problems named, each by its place", () => {
    const wrong = `
      a: {provider: openai-compatible, base_url: "ftp://models.example.com", dimensions: 0, api_key_env: A, api_key_file: /a}
      b: {provider: local, dimensions: 384}
      c: {provider: sagemaker, dimensions: 384}
      d: {provider: openai-compatible, dimensions: 99999, timeout: 3}
      e: 5
      "f g": {provider: local, dimensions: 512}
    `;
    expect(problemsOf(wrong)).toEqual([
      "EMBEDDING_MODELS.a.base_url must be a web address such as https://provider.example.com/v1, without user, password, ? and #",
      "EMBEDDING_MODELS.a.dimensions must be at least 1",
      "EMBEDDING_MODELS.a has both api_key_env and api_key_file: keep one",
      "EMBEDDING_MODELS.b.dimensions must be 512, the length of the local model's vectors",
      "EMBEDDING_MODELS.c.provider must be openai-compatible or local",
      "EMBEDDING_MODELS.d.base_url is missing; for example https://provider.example.com/v1",
      "EMBEDDING_MODELS.d.dimensions must be at most 16000",
      "EMBEDDING_MODELS.d has unknown settings: timeout",
      "EMBEDDING_MODELS.e must be a map of settings",
      "EMBEDDING_MODELS.f g is no name for a model: use at most 200 letters, digits and . _ : / @ + -, with a letter or digit first",
    ]);
  });

  it.each([
    ["a list", "[1, 2]", /^EMBEDDING_MODELS must map names of models to their settings/],
    ["a word", "local", /^EMBEDDING_MODELS must map names of models to their settings/],
    ["torn", "a: {provider: local", /^EMBEDDING_MODELS is neither YAML nor JSON: look at line 1, column \d+$/],
    ["a name twice", "a: 1\na: 2", /^EMBEDDING_MODELS is neither YAML nor JSON: look at line 2, column 1$/],
  ])("is refused when it is %s", (_what, text, problem) => {
    expect(problemsOf(text)).toEqual([expect.stringMatching(problem)]);
  });

  it.each([
    [
      "in place of its variable",
      "a: {provider: openai-compatible, base_url: https://x.example, dimensions: 3, api_key_env: sk-hunter2}",
    ],
    [
      "as a setting of its own",
      "a: {provider: openai-compatible, base_url: https://x.example, dimensions: 3, api_key: sk-hunter2}",
    ],
    ["as the name of a setting", "a: {provider: local, dimensions: 512, sk-hunter2: }"],
    ["in the address", "a: {provider: openai-compatible, base_url: https://me:sk-hunter2@x.example, dimensions: 3}"],
    ["in the query", "a: {provider: openai-compatible, base_url: https://x.example/?key=sk-hunter2, dimensions: 3}"],
    ["beside a mistake", "a: {provider: openai-compatible, api_key: sk-hunter2"],
  ])("never shows a key that was put %s", (_where, text) => {
    let shown = "";
    try {
      read(text);
    } catch (error) {
      shown = [String(error), JSON.stringify(error), reportConfigProblems("svc", error as ConfigError)].join();
    }
    expect(shown).toContain("EMBEDDING_MODELS");
    expect(shown).not.toContain("hunter2");
  });

  it("says where a key belongs to who wrote it down", () => {
    const text = "a: {provider: openai-compatible, base_url: https://x.example, dimensions: 3, api_key: sk-1}";
    expect(problemsOf(text)[0]).toContain("name the variable of the key in api_key_env, or its file in api_key_file");
  });
});
