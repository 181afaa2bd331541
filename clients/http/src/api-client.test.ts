import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ApiProblem, createApiClient } from "./index.ts";

const CALLER = {
  kind: "api_token",
  org: { id: "org_01h455vb4pex5vsknk084sn02q", slug: "acme", name: "Acme" },
  role: "developer",
  expires_at: null,
};
const PROBLEM = {
  type: "urn:svc:error:UNAUTHENTICATED",
  title: "Authentication required",
  status: 401,
  detail: "Invalid or expired API token",
  code: "UNAUTHENTICATED",
};

let server: Server;
let baseUrl: string;
let answer: { status: number; body: string } | "never";
let asked: { url: string | undefined; headers: IncomingHttpHeaders }[];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push({ url: request.url, headers: request.headers });
    if (answer !== "never") response.writeHead(answer.status).end(answer.body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
});

const client = (timeoutMs?: number) =>
  createApiClient({ baseUrl, token: () => "svc_token", ...(timeoutMs && { timeoutMs }) });

describe("the HTTP client", () => {
  it("tells whom the service takes its token for", async () => {
    answer = { status: 200, body: JSON.stringify(CALLER) };
    expect(await client().whoAmI()).toEqual(CALLER);
    expect(asked).toMatchObject([
      { url: "/api/me", headers: { authorization: "Bearer svc_token", accept: "application/json" } },
    ]);
  });

  it("asks for the token at each call, so that a renewed one is used at once", async () => {
    answer = { status: 200, body: JSON.stringify(CALLER) };
    const tokens = ["svc_first", "svc_second"];
    const renewing = createApiClient({ baseUrl, token: async () => tokens.shift() ?? "" });
    await renewing.whoAmI();
    await renewing.whoAmI();
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(["Bearer svc_first", "Bearer svc_second"]);
  });

  it("sends no token where there is none, as for a browser that has a cookie", async () => {
    answer = { status: 200, body: JSON.stringify(CALLER) };
    await createApiClient({ baseUrl, token: async () => undefined }).whoAmI();
    expect(asked[0]?.headers).not.toHaveProperty("authorization");
  });

  it("throws where an act that has no answer is refused", async () => {
    answer = { status: 401, body: JSON.stringify(PROBLEM) };
    await expect(client().endSessionsEverywhere()).rejects.toThrow(PROBLEM.detail);
  });

  it("throws the service's own words when it answers with a problem", async () => {
    answer = { status: 401, body: JSON.stringify(PROBLEM) };
    const error = await client()
      .whoAmI()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiProblem);
    expect(error).toMatchObject({ message: PROBLEM.detail, problem: PROBLEM });
  });

  it.each([
    ["an error page of a proxy", { status: 502, body: "<html>Bad gateway</html>" }],
    ["JSON that is no problem", { status: 500, body: '{"message":"oops"}' }],
    ["nothing", { status: 503, body: "" }],
  ])("says which server answered what when an error comes with %s", async (_what, given) => {
    answer = given;
    await expect(client().whoAmI()).rejects.toThrow(
      new Error(`${baseUrl} answered ${given.status} with something else than a problem`),
    );
  });

  it.each([
    ["a page that is not of the service", "<html>Welcome</html>"],
    ["a caller of another shape", '{"kind":"api_token"}'],
  ])("says which server answered what when success comes with %s", async (_what, body) => {
    answer = { status: 200, body };
    await expect(client().whoAmI()).rejects.toThrow(`${baseUrl} answered 200 with something else than was asked for`);
  });

  it("gives up on a server that does not answer", async () => {
    answer = "never";
    await expect(client(200).whoAmI()).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it("fails where no server is", async () => {
    const lost = createApiClient({ baseUrl: "http://127.0.0.1:1", token: () => "svc_token" });
    await expect(lost.whoAmI()).rejects.toThrow("fetch failed");
  });
});
