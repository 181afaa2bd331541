import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newDomain, type SignInStack, startSignInStack } from "./sign-in-stack.ts";

const run = promisify(execFile);
const DUMP = "/usr/lib/postgresql/15/bin/pg_dump";

let world: SignInStack;
const secrets = new Set<string>();
const errors: string[] = [];

beforeAll(async () => {
  world = await startSignInStack();
  for (const secret of [...Object.values(world.stack.secrets), world.clientSecret]) secrets.add(secret);
});

afterAll(() => world?.stop());

/** A request through the gateway; its credential is one to look for, and an answer that refuses a place to look in. */
async function call(
  method: string,
  path: string,
  token: string,
  body?: object,
): Promise<{ status: number; body: any }> {
  secrets.add(token);
  const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) };
  const response = await fetch(`${world.base}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) errors.push(`${text} ${JSON.stringify([...response.headers])}`);
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

/** A person signs in with both a cookie and, for an app elsewhere, a code; every secret of it is one to look for. */
async function signIn(): Promise<string> {
  const visitor = await world.newVisitor();
  const email = world.googler(`ada@${newDomain()}`);
  await visitor.signIn("Google", email);
  await visitor.page.getByLabel("Name of the organization").fill("Secretive");
  await visitor.page.getByRole("button", { name: "Create organization" }).click();
  await visitor.page.waitForURL((url) => !url.pathname.startsWith("/auth/"));
  const minted = await visitor.fetchJson("/api/v1/session/token", { method: "POST", body: "{}" });
  expect(minted.status).toBe(200);
  await visitor.page.goto(`${world.base}/login?redirect_to=${encodeURIComponent(`${world.app}/`)}`);
  const code = new URL(visitor.page.url()).searchParams.get("svc_code") ?? "";
  // A browser knows hosts, not ports, so those of the provider are among them.
  const cookies = (await visitor.context.cookies(world.base)).filter(({ name }) => name.startsWith("svc_"));
  expect(cookies.map(({ name }) => name)).toEqual(["svc_session"]);
  for (const { value } of cookies) secrets.add(value);
  secrets.add(code);
  expect(code.length).toBeGreaterThan(20);
  await visitor.context.close();
  return minted.body.token;
}

it("no token, secret or password that was used is in the databases, the logs or an error", async () => {
  const userToken = await signIn();
  const owner = await world.stack.issueToken();
  const me = (await call("GET", "/api/me", owner)).body;
  const made = (await call("POST", "/api/v1/api-tokens", owner, { name: "one" })).body;
  const visit = { staff: "helper@vendor.example", reason: "looking for secrets" };
  const support = await call(
    "POST",
    `/api/v1/admin/orgs/${me.org.id}/support-sessions`,
    world.stack.secrets.OPERATOR_TOKEN,
    visit,
  );
  expect([support.status, made.token.length]).toEqual([201, 42]);

  for (const token of [userToken, made.token, support.body.token]) {
    expect((await call("GET", "/api/me", token)).status).toBe(200);
    // Every way of being refused, with the credential where it belongs and where it does not.
    await call("PATCH", `/api/v1/orgs/${me.org.id}`, token, { name: token, password: token });
    await call("POST", "/api/v1/tokens/validate", token, { token, wrong: token });
    await call("POST", "/api/v1/session/exchange", token, { code: token, wrong: token });
    await call("POST", "/api/v1/admin/orgs", token, { name: "x" });
    await call("GET", `/api/v1/orgs/nowhere?token=${token}`, token);
    await call("GET", "/nowhere", `${token}x`);
  }
  expect(errors.length).toBeGreaterThan(12);

  const dump = async (url: string): Promise<string> =>
    (await run(DUMP, ["--inserts", url], { maxBuffer: 64 * 1_024 ** 2 })).stdout;
  const dumps = await Promise.all(Object.values(world.stack.databaseUrls).map(dump));
  const places = {
    databases: dumps.join("\n"),
    logs: Object.values(world.stack.lines).flat().join("\n"),
    errors: errors.join("\n"),
  };
  // Otherwise we would look for something in nothing.
  expect(places.databases).toContain("INSERT INTO identity.sessions");
  expect(places.logs).toContain("/api/v1/");
  expect(secrets.size).toBeGreaterThan(15);
  for (const [place, text] of Object.entries(places)) {
    for (const secret of secrets)
      expect([place, secret.slice(0, 6), text.includes(secret)]).toEqual([place, secret.slice(0, 6), false]);
  }
});
