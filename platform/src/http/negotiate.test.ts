import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { AppError } from "../errors/index.ts";
import { silentLogger } from "../testing/index.ts";
import { createServer, type Server } from "./create-server.ts";
import { sendNegotiated, wantsJson } from "./negotiate.ts";

describe("the Accept header", () => {
  it.each([
    [undefined, "yaml"],
    ["", "yaml"],
    ["*/*", "yaml"],
    ["application/*", "yaml"],
    ["text/html", "yaml"],
    ["application/yaml", "yaml"],
    ["text/yaml", "yaml"],
    ["application/x-yaml", "yaml"],
    ["application/json", "json"],
    ["APPLICATION/JSON", "json"],
    ["application/problem+json", "json"],
    ["application/json; charset=utf-8", "json"],
    ["application/json;q=0.1", "json"],
    ["application/json;q=0", "yaml"],
    ["application/json;q=none", "yaml"],
    ["text/html, application/json;q=0.9, */*;q=0.8", "json"],
    ["application/json, text/plain, */*", "json"],
    ["application/json, application/yaml", "json"],
    ["application/yaml, application/json;q=0.9", "yaml"],
    ["application/yaml;q=0.5, application/json;q=0.9", "json"],
    ["application/yaml ; q=0.5 , application/json ; q=0.4", "yaml"],
    ["application/json-seq", "yaml"],
    [",,;q=", "yaml"],
  ])("%j gets %s", (accept, expected) => {
    expect(wantsJson(accept) ? "json" : "yaml").toBe(expected);
  });
});

describe("a route that negotiates", () => {
  let app: Server;
  beforeAll(async () => {
    app = await createServer({ log: silentLogger(), title: "a test" });
    const route = { onSend: sendNegotiated, schema: { response: { 200: z.strictObject({ name: z.string() }) } } };
    app.get("/thing", route, async () => ({ name: "Zoë: yes" }));
    app.get("/wrong", route, async () => ({ name: 7 }) as unknown as { name: string });
    app.get("/missing", route, async () => {
      throw new AppError("NOT_FOUND", "No such thing.");
    });
    app.get("/empty", { onSend: sendNegotiated }, async (_request, reply) => reply.code(204).send());
    await app.ready();
  });
  afterAll(() => app.close());

  it("answers YAML unless asked otherwise", async () => {
    const answer = await app.inject("/thing");
    expect(answer.headers).toMatchObject({ "content-type": "application/yaml; charset=utf-8", vary: "Accept" });
    expect(answer.payload).toBe('name: "Zoë: yes"\n');
    expect(answer.headers["content-length"]).toBe(String(Buffer.byteLength(answer.payload)));
  });

  it("answers JSON to those who ask for it by name", async () => {
    const answer = await app.inject({ url: "/thing", headers: { accept: "application/json" } });
    expect(answer.headers).toMatchObject({ "content-type": "application/json; charset=utf-8", vary: "Accept" });
    expect(answer.json()).toEqual({ name: "Zoë: yes" });
  });

  it.each([
    ["/missing", 404],
    ["/wrong", 500],
  ])("answers the errors of %s in the same form as its results", async (url, status) => {
    const yaml = await app.inject(url);
    const json = await app.inject({ url, headers: { accept: "application/json" } });
    expect([yaml.statusCode, json.statusCode]).toEqual([status, status]);
    expect(yaml.headers["content-type"]).toBe("application/yaml; charset=utf-8");
    expect(json.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(json.json()).toMatchObject({ status });
    expect(parse(yaml.payload)).toEqual(json.json());
  });

  it("leaves an answer without content alone", async () => {
    const answer = await app.inject("/empty");
    expect(answer.statusCode).toBe(204);
    expect(answer.payload).toBe("");
  });
});
