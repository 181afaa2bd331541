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

/** A sender that has read what came. */
const reading: Send = async (url, { method, headers, body }) => {
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  const { ok, status } = response;
  return { ok, status, headers: response.headers, json: () => response.json() };
};
const client = (send?: Send) =>
  createApiClient({ baseUrl: server.baseUrl, token: () => "svc_token", ...(send && { send }) });

describe("an answer that is passed on", () => {
  it("is the text as it came", async () => {
    expect(await client().askForText("db_notes", { query: "refunds?" })).toBe(TEXT);
    expect(await client().listAskableSourcesAsText()).toBe(TEXT);
    expect(server.received).toMatchObject([
      { method: "POST", url: "/api/wf/slim/data-sources/db_notes/query", body: { query: "refunds?" } },
      { method: "GET", url: "/api/wf/slim/data-sources" },
    ]);
  });

  it("is written anew where the sender has read it already, or it is not said to be JSON", async () => {
    expect(await client(reading).listAskableSourcesAsText()).toBe('{"count":0,"results":[]}');
    answer = (response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>");
    await expect(client().listAskableSourcesAsText()).rejects.toThrow(SyntaxError);
  });

  it("is the service's own words where it says no", async () => {
    const problem = { type: "urn:svc:error:NOT_FOUND", title: "No", status: 404, detail: "Why", code: "NOT_FOUND" };
    answer = (response) => response.writeHead(404, { "retry-after": "3" }).end(JSON.stringify(problem));
    const error = await client()
      .askForText("db_none", { query: "x" })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiProblem);
    expect(error).toMatchObject({ problem, retryAfterSeconds: 3 });
  });
});

describe("an answer as YAML", () => {
  const YAML = 'count: 1\nresults:\n  - id: "7"\n    title: "Ü"\n';
  const sendYaml = (status: number, text: string) => (response: ServerResponse) =>
    response.writeHead(status, { "content-type": "application/yaml; charset=utf-8" }).end(text);

  it("is asked for by name and given as it came", async () => {
    answer = sendYaml(200, YAML);
    expect(await client().askForYaml("db_notes", { query: "refunds?" })).toBe(YAML);
    expect(server.received).toMatchObject([
      {
        method: "POST",
        url: "/api/wf/slim/data-sources/db_notes/query",
        body: { query: "refunds?" },
        headers: { accept: "application/yaml" },
      },
    ]);
  });

  it("is the service's own words where it says no in YAML", async () => {
    const problem = {
      type: "urn:svc:error:INVALID_FILTER",
      title: "Invalid filter",
      status: 400,
      detail: 'No: "x" is\nno column.',
      code: "INVALID_FILTER",
      problems: [
        { path: "filters.x", message: "unknown: y" },
        { path: "filters.z", message: "must be a number" },
      ],
    };
    answer = sendYaml(
      400,
      [
        `type: "${problem.type}"`,
        'title: "Invalid filter"',
        "status: 400",
        'detail: "No: \\"x\\" is\\nno column."',
        'code: "INVALID_FILTER"',
        "problems:",
        '  - path: "filters.x"',
        '    message: "unknown: y"',
        '  - path: "filters.z"',
        '    message: "must be a number"',
        "",
      ].join("\n"),
    );
    const error = await client()
      .askForYaml("db_notes", { query: "x" })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiProblem);
    expect(error).toMatchObject({ problem });
  });

  it.each([
    ["an answer in another form", 200, "application/json", TEXT, "something else than was asked for"],
    [
      "YAML that is no problem",
      502,
      "application/yaml",
      "oops: *x\n- 7\n    path: 1\n",
      "something else than a problem",
    ],
    ["a page of a proxy", 502, "text/html", "<p>", "something else than a problem"],
  ])("is not made of %s", async (_what, status, type, text, message) => {
    answer = (response) => response.writeHead(status, { "content-type": type }).end(text);
    await expect(client().askForYaml("db_notes", { query: "x" })).rejects.toThrow(message);
  });
});
