import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InstalledSvc, installSvc } from "./testing/run-svc.ts";
import { KEY } from "./testing/stand-in-service.ts";

let directory: string;
let certificate: string;
let server: Server;
let svc: InstalledSvc;
let port: number;
let asked = 0;

beforeAll(async () => {
  svc = await installSvc();
  directory = mkdtempSync(join(tmpdir(), "svc-tls-"));
  certificate = join(directory, "certificate.pem");
  const key = join(directory, "key.pem");
  const forLocalhost = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key];
  execFileSync("openssl", ["req", "-x509", ...newKey, "-out", certificate, "-days", "2", ...forLocalhost], {
    stdio: "ignore",
  });
  server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (_request, response) => {
    asked += 1;
    response.end('{"items":[]}');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  svc.remove();
  rmSync(directory, { recursive: true });
});

const list = (url: string, env: Record<string, string> = {}) =>
  svc.run(["db", "list", "-o", "json"], { env: { SVC_API_URL: url, SVC_API_KEY: KEY, ...env } });

describe("over https", () => {
  it("sends no key to a server whose certificate it does not trust, and says what to set", async () => {
    const { exit, stderr } = await list(`https://localhost:${port}`);
    expect(exit).toBe(1);
    expect(JSON.parse(stderr).detail).toMatch(/DEPTH_ZERO_SELF_SIGNED_CERT.*NODE_EXTRA_CA_CERTS/);
    expect(asked).toBe(0);
  });

  it("asks one whose authority it is told to trust, by its right name alone", async () => {
    const trusting = { NODE_EXTRA_CA_CERTS: certificate };
    expect(await list(`https://localhost:${port}`, trusting)).toMatchObject({ exit: 0, stderr: "" });
    expect(asked).toBe(1);
    const { exit, stderr } = await list(`https://127.0.0.1:${port}`, trusting);
    expect(exit).toBe(1);
    expect(JSON.parse(stderr).detail).toContain("Its certificate is for another name");
    expect(asked).toBe(1);
  });
});
