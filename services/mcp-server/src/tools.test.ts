import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "@svc/platform/errors";
import type { Client } from "@modelcontextprotocol/client";
import { HANDBOOK, HITS } from "./testing/gateway-stand-in.ts";
import { createMcpFixture, ERAS, type McpFixture } from "./testing/mcp-fixture.ts";

let mcp: McpFixture;
let token: string;

beforeAll(async () => {
  mcp = await createMcpFixture();
  token = mcp.tokenOf(mcp.auth.createGrant(["data:read", "apps:read"]));
});
afterAll(() => mcp.close());
beforeEach(() => {
  mcp.gateway.answer = () => HITS;
  mcp.gateway.sources = [HANDBOOK];
  mcp.gateway.asked.length = 0;
});

describe.each(ERAS)("an agent that speaks the protocol of %s", (era) => {
  let client: Client;

  beforeAll(async () => {
    client = await mcp.connect(token, era);
  });

  const call = (name: string, input: Record<string, unknown> = {}): Promise<any> =>
    client.callTool({ name, arguments: input });
  const ask = (input: Record<string, unknown>) => call("data_source_query", { source_id: "db_handbook", ...input });

  it("is told who answers and how to begin", () => {
    expect(client.getServerVersion()).toMatchObject({ name: "svc" });
    expect(client.getInstructions()).toContain("Call data_sources_list first");
  });

  it("finds two tools that say what they are for, what they take, what they give, and that they change nothing", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["data_sources_list", "data_source_query"]);
    for (const tool of tools) {
      expect(tool.title).toBeTruthy();
      expect(tool.description?.length).toBeGreaterThan(100);
      expect(tool.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(tool.outputSchema).toMatchObject({ type: "object" });
      expect(tool.annotations).toMatchObject({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    }
  });

  it("learns with one call how each source can be asked", async () => {
    const { structuredContent, content } = await call("data_sources_list");
    expect(structuredContent).toEqual({ items: [HANDBOOK] });
    expect(JSON.parse(content[0].text)).toEqual(structuredContent);
  });

  it("asks and gets the hits, as data and as text", async () => {
    const question = {
      query: "refunds?",
      filters: { team: ["support", "sales"], year: 2026 },
      top_k: 2,
      target: "pages",
    };
    const { structuredContent, content, isError } = await ask(question);
    expect(isError ?? false).toBe(false);
    expect(structuredContent).toEqual(HITS);
    expect(JSON.parse(content[0].text)).toEqual(HITS);
    expect(mcp.gateway.asked).toMatchObject([{ sourceId: "db_handbook", question, caller: { kind: "actor" } }]);
  });

  it("asks with no more than a source and a question", async () => {
    await ask({ query: "refunds?" });
    expect(mcp.gateway.asked).toMatchObject([{ question: { query: "refunds?", filters: {}, top_k: 10 } }]);
  });

  const errors: [string, Record<string, unknown>, () => never, string[]][] = [
    [
      "a wrong filter",
      { query: "x", filters: { color: "red" } },
      () => {
        throw new AppError(
          "INVALID_FILTER",
          "Cannot filter on color. Filterable columns: team (string), year (number).",
        );
      },
      ["INVALID_FILTER", "Filterable columns: team (string), year (number)"],
    ],
    [
      "a role that is too low",
      { query: "x" },
      () => {
        throw new AppError("FORBIDDEN", "Asking this data source needs the role admin; yours is viewer.");
      },
      ["FORBIDDEN", "needs the role admin", "tell the person"],
    ],
    [
      "too many questions",
      { query: "x" },
      () => {
        throw new AppError("RATE_LIMITED", "Your organization may ask 60 a minute.", { retryAfterSeconds: 17 });
      },
      ["RATE_LIMITED", "Wait 17 s"],
    ],
    [
      "a source that takes too long",
      { query: "x" },
      () => {
        throw new AppError("TIMEOUT", "The database took too long to answer.");
      },
      ["TIMEOUT", "fewer hits or a filter"],
    ],
    [
      "a source without search",
      { query: "x" },
      () => {
        throw new AppError("SEARCH_NOT_CONFIGURED", "this data source has no semantic search configured");
      },
      ["SEARCH_NOT_CONFIGURED", "no semantic search configured", "Try another source"],
    ],
    [
      "a fault inside",
      { query: "x" },
      () => {
        throw new Error("secret at /srv/app.ts:12");
      },
      ["INTERNAL"],
    ],
  ];
  it.each(errors)("is told what to do about %s", async (_what, input, answer, words) => {
    mcp.gateway.answer = answer;
    const { isError, content, structuredContent } = await ask(input);
    expect(isError).toBe(true);
    expect(structuredContent).toBeUndefined();
    for (const word of words) expect(content[0].text).toContain(word);
    expect(content[0].text).not.toContain("/srv/app.ts");
  });

  it.each([
    ["that is not there", { source_id: "db_none", query: "x" }, "NOT_FOUND"],
    ["with the path of another address", { source_id: "../databases", query: "x" }, "INVALID_REQUEST"],
    ["with dots alone", { source_id: "..", query: "x" }, "INVALID_REQUEST"],
    ["that is no text", { source_id: 7, query: "x" }, "INVALID_REQUEST"],
    ["that is left out", { query: "x" }, "INVALID_REQUEST"],
  ])("is sent to the list for a source %s", async (_what, input, code) => {
    const { isError, content } = await call("data_source_query", input);
    expect(isError).toBe(true);
    expect(content[0].text).toMatch(new RegExp(`^${code}: `));
    expect(content[0].text).toContain("data_sources_list");
    expect(mcp.gateway.asked).toEqual([]);
  });

  it("is told every problem of a question at once", async () => {
    const { isError, content } = await ask({ query: "", top_k: 99, color: "red" });
    expect(isError).toBe(true);
    for (const word of ["INVALID_REQUEST", "- query:", "- top_k:", "unknown field: color"]) {
      expect(content[0].text).toContain(word);
    }
  });

  it("cannot call a tool that is not there", async () => {
    await expect(call("databases_drop")).rejects.toThrow("No such tool");
  });

  it("is told to come back while the gateway is away", async () => {
    const alone = await createMcpFixture();
    const cut = await alone.connect(alone.tokenOf(alone.auth.createGrant(["data:read"])), era);
    await alone.gateway.close();
    const { isError, content } = (await cut.callTool({ name: "data_sources_list", arguments: {} })) as any;
    expect(isError).toBe(true);
    expect(content[0].text).toBe("UNAVAILABLE: The service cannot be reached.\nTry again in a few seconds.");
    await cut.close();
    alone.gateway.close = async () => undefined;
    await alone.close();
  });
});
