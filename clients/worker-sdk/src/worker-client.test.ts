import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fetchWithRenewal } from "./fetch-with-renewal.ts";
import { ApiProblem, createWorkerClient, createWorkerIdentity } from "./index.ts";

const CALLER = {
  kind: "workload",
  org: { id: "org_01h455vb4pex5vsknk084sn02q", slug: "acme", name: "Acme" },
  role: "developer",
  app: "shop",
  expires_at: "2030-01-01T00:00:00.000Z",
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
let directory: string;
let tokenFile: string;
/** The one token that the server takes, and what happens when it is offered another. */
let taken: string;
let onRefusal: () => void;
let offered: (string | undefined)[];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "svc-worker-"));
  tokenFile = join(directory, "token");
  server = createServer((request, response) => {
    offered.push(request.headers.authorization);
    const known = request.headers.authorization === `Bearer ${taken}`;
    if (!known) onRefusal();
    response.writeHead(known ? 200 : 401).end(JSON.stringify(known ? CALLER : PROBLEM));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(directory, { recursive: true });
});
beforeEach(() => {
  taken = "first";
  onRefusal = () => undefined;
  offered = [];
  writeFileSync(tokenFile, "first");
});

const client = (env: Record<string, string> = {}) =>
  createWorkerClient({ env: { SVC_API_URL: baseUrl, SVC_WORKLOAD_TOKEN_FILE: tokenFile, ...env } });

describe("a worker's client", () => {
  it("calls the API of its environment as the worker", async () => {
    expect(await client().whoAmI()).toEqual(CALLER);
    expect(offered).toEqual(["Bearer first"]);
  });

  it("uses a token that was replaced between two calls", async () => {
    const worker = client();
    await worker.whoAmI();
    writeFileSync(tokenFile, "second!");
    taken = "second!";
    await worker.whoAmI();
    expect(offered).toEqual(["Bearer first", "Bearer second!"]);
  });

  it("reads its token again and tries once more if it was replaced while the call was on its way", async () => {
    taken = "second!";
    onRefusal = () => writeFileSync(tokenFile, "second!");
    expect(await client().whoAmI()).toEqual(CALLER);
    expect(offered).toEqual(["Bearer first", "Bearer second!"]);
  });

  it("tries once more and not for ever", async () => {
    taken = "none of them";
    onRefusal = () => writeFileSync(tokenFile, `another-${offered.length}`);
    await expect(client().whoAmI()).rejects.toThrow(ApiProblem);
    expect(offered).toEqual(["Bearer first", "Bearer another-1"]);
  });

  it("does not present the same refused token twice", async () => {
    taken = "another";
    await expect(client().whoAmI()).rejects.toThrow("Invalid or expired API token");
    await expect(client({ SERVER_API_TOKEN: "svc_old" }).whoAmI()).rejects.toThrow("Invalid or expired API token");
    expect(offered).toEqual(["Bearer first", "Bearer svc_old"]);
  });

  it("does not repeat a call that would have its effect twice", async () => {
    taken = "second!";
    onRefusal = () => writeFileSync(tokenFile, "second!");
    const send = fetchWithRenewal(createWorkerIdentity({ env: {}, tokenFile }));
    const headers = { authorization: "Bearer first" };
    expect((await send(baseUrl, { method: "POST", headers })).status).toBe(401);
    expect((await send(baseUrl, { method: "PUT", headers })).status).toBe(200);
    expect(offered).toEqual(["Bearer first", "Bearer first", "Bearer second!"]);
  });

  it("goes to the address that the code names rather than the one of the environment", async () => {
    const worker = createWorkerClient({
      baseUrl,
      env: { SVC_API_URL: "http://127.0.0.1:1", SERVER_API_TOKEN: "first" },
    });
    expect(await worker.whoAmI()).toEqual(CALLER);
  });

  it("says what to set when it has no address", () => {
    expect(() => createWorkerClient({ env: {} })).toThrow("Set SVC_API_URL to the address of the API");
  });
});
