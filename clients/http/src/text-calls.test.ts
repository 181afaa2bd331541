import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ApiProblem, createApiClient, type Send } from "./index.ts";
import { type LoopbackServer, startLoopbackServer } from "./testing/loopback-server.ts";

const TEXT = '{"count": 0,  "results": []}';

let server: LoopbackServer;
let answer: (response: ServerResponse) => void;

beforeAll(async () => {
  server = await startLoopbackServer((response) => answer(response));
});
afterAll(() => server.stop());
beforeEach(() => {
  server.received.splice(0);
  answer = (response) => response.writeHead(200, { "content-type": "application/json" }).end(TEXT);
});

/** A sender that can hand over what came. */
const sending: Send = async (url, { method, headers, body }) => {
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  const { ok, status } = response;
  return { ok, status, headers: response.headers, json: async () => JSON.parse(text), text: async () => text };
};
const client = (send?: Send) =>
  createApiClient({ baseUrl: server.baseUrl, token: () => "svc_token", ...(send && { send }) });

describe("an answer that is passed on", () => {
  it("is the text as it came", async () => {
    expect(await client(sending).askForText("db_notes", { query: "refunds?" })).toBe(TEXT);
    expect(await client(sending).listAskableSourcesAsText()).toBe(TEXT);
    expect(server.received).toMatchObject([
      { method: "POST", url: "/api/wf/slim/data-sources/db_notes/query", body: { query: "refunds?" } },
      { method: "GET", url: "/api/wf/slim/data-sources" },
    ]);
  });

  it("is written anew where the sender has read it already, or it is not said to be JSON", async () => {
    expect(await client().listAskableSourcesAsText()).toBe('{"count":0,"results":[]}');
    answer = (response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>");
    await expect(client(sending).listAskableSourcesAsText()).rejects.toThrow(SyntaxError);
  });

  it("is the service's own words where it says no", async () => {
    const problem = { type: "urn:svc:error:NOT_FOUND", title: "No", status: 404, detail: "Why", code: "NOT_FOUND" };
    answer = (response) => response.writeHead(404, { "retry-after": "3" }).end(JSON.stringify(problem));
    const error = await client(sending)
      .askForText("db_none", { query: "x" })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiProblem);
    expect(error).toMatchObject({ problem, retryAfterSeconds: 3 });
  });
});
