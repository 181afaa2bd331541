import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createProviderStandIn, type ProviderStandIn, startProviderStandIn } from "../testing/provider-stand-in.ts";
import { newAttempt } from "./attempt.ts";
import { CONSUMER_TENANT } from "./microsoft-tenant.ts";
import { createProviders, type Provider } from "./providers.ts";
import type { Account } from "./read-account.ts";
import type { SignInSettings } from "./settings.ts";

const BASE = "https://app.example.com";
const TENANT = "11111111-2222-3333-4444-555555555555";
const OTHER_TENANT = "99999999-2222-3333-4444-555555555555";
const none = { google: undefined, microsoft: undefined, baseUrl: BASE, allowedOrigins: new Set([BASE]) };

/** A whole attempt; `change` is what an attacker does to it on the way back. */
async function signIn(
  provider: Provider | undefined,
  standIn: ProviderStandIn,
  change: (back: URL) => void = () => undefined,
): Promise<Account> {
  const attempt = newAttempt("google", BASE);
  if (!provider) throw new Error("no such provider");
  const back = new URL(standIn.signIn((await provider.startAt(attempt)).href));
  change(back);
  return provider.finish(attempt, back.search);
}

describe("signing in with Google", () => {
  let standIn: ProviderStandIn;
  let google: Provider | undefined;

  beforeAll(async () => {
    standIn = await startProviderStandIn();
  });
  afterAll(() => standIn.close());
  beforeEach(() => {
    standIn.faults = {};
    standIn.claims = { sub: "g-1", email: "ada@acme.example", email_verified: true, hd: "acme.example", name: "Ada" };
    google = createProviders({ ...none, google: standIn }).get("google");
  });

  it("asks for a code with PKCE, a state and a nonce, and for nothing else", async () => {
    const attempt = newAttempt("google", BASE);
    const address = await google?.startAt(attempt);
    expect(address?.origin).toBe(standIn.issuer.origin);
    const asked = Object.fromEntries(address?.searchParams ?? []);
    expect(asked).toMatchObject({
      response_type: "code",
      redirect_uri: `${BASE}/auth/google/callback`,
      scope: "openid email profile",
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge_method: "S256",
    });
    expect(address?.href).not.toContain(attempt.codeVerifier);
    expect(address?.href).not.toContain(standIn.clientSecret);
  });

  it("tells who came back", async () => {
    expect(await signIn(google, standIn)).toEqual({
      provider: "google",
      subject: "g-1",
      address: "ada@acme.example",
      isVouched: true,
      name: "Ada",
    });
  });

  it.each([
    ["another state", (back: URL) => back.searchParams.set("state", newAttempt("google", BASE).state)],
    ["no state", (back: URL) => back.searchParams.delete("state")],
    ["another code", (back: URL) => back.searchParams.set("code", "stolen")],
    ["no code", (back: URL) => back.searchParams.delete("code")],
    ["another issuer", (back: URL) => back.searchParams.set("iss", "https://evil.example")],
    ["two codes", (back: URL) => back.searchParams.append("code", "another")],
  ])("is refused with %s", async (_what, change) => {
    await expect(signIn(google, standIn, change)).rejects.toMatchObject({ kind: "provider-refused" });
  });

  it.each([
    ["the nonce of another attempt", { nonce: "another" }],
    ["the issuer of somebody else", { iss: "https://evil.example" }],
    ["another app for its audience", { aud: "another-client" }],
    ["a signature by somebody else", { signedByStranger: true }],
    ["nothing to say who it was", { tokenAnswer: { status: 200, body: { access_token: "x", token_type: "bearer" } } }],
    ["a refusal", { tokenAnswer: { status: 400, body: { error: "invalid_grant" } } }],
  ])("is refused when the token has %s", async (_what, faults) => {
    standIn.faults = faults;
    await expect(signIn(google, standIn)).rejects.toMatchObject({ kind: "provider-refused" });
  });

  it("is refused with the code verifier of another attempt", async () => {
    if (!google) throw new Error("no provider");
    const [mine, other] = [newAttempt("google", BASE), newAttempt("google", BASE)];
    const back = new URL(standIn.signIn((await google.startAt(mine)).href));
    const mixed = { ...mine, codeVerifier: other.codeVerifier };
    await expect(google.finish(mixed, back.search)).rejects.toMatchObject({ kind: "provider-refused" });
  });

  it("that a person called off is refused, and one the provider could not do is for later", async () => {
    if (!google) throw new Error("no provider");
    const attempt = newAttempt("google", BASE);
    const finish = (error: string): Promise<unknown> | undefined =>
      google?.finish(attempt, `?${new URLSearchParams({ error, state: attempt.state }).toString()}`);
    await expect(finish("access_denied")).rejects.toMatchObject({ kind: "provider-refused" });
    await expect(finish("temporarily_unavailable")).rejects.toMatchObject({ kind: "provider-unavailable" });
  });

  it("looks the provider up once, at the first attempt, and again after it failed", async () => {
    const before = standIn.discoveries;
    standIn.faults = { discoveryStatus: 500 };
    await expect(google?.startAt(newAttempt("google", BASE))).rejects.toMatchObject({ kind: "provider-unavailable" });
    standIn.faults = {};
    await Promise.all([1, 2, 3].map(async () => google?.startAt(newAttempt("google", BASE))));
    await signIn(google, standIn);
    expect(standIn.discoveries - before).toBe(2);
  });

  it("says that a provider is away when it is, also when it goes between the way there and the way back", async () => {
    const gone = await startProviderStandIn();
    const provider = createProviders({ ...none, google: gone }).get("google");
    const attempt = newAttempt("google", BASE);
    const back = new URL(gone.signIn((await provider?.startAt(attempt))?.href ?? ""));
    await gone.close();
    await expect(provider?.finish(attempt, back.search)).rejects.toMatchObject({ kind: "provider-unavailable" });
    const never = createProviders({ ...none, google: gone }).get("google");
    await expect(never?.startAt(attempt)).rejects.toMatchObject({ kind: "provider-unavailable" });
  });
});

describe("signing in with Microsoft, whose issuer has the tenant in it", () => {
  /** Under the real issuer's name, which the library treats in a way of its own. */
  function microsoft(tenantId: string): { standIn: ProviderStandIn; provider: Provider | undefined } {
    const issuer = `https://login.microsoftonline.com/${tenantId}/v2.0`;
    const named = ["common", "organizations"].includes(tenantId) ? "{tenantid}" : tenantId;
    const inMetadata = `https://login.microsoftonline.com/${named.replace("consumers", CONSUMER_TENANT)}/v2.0`;
    const standIn = createProviderStandIn(issuer, inMetadata);
    const settings: SignInSettings = { ...none, microsoft: { ...standIn, tenantId } };
    const provider = createProviders(settings, async (url, options) => {
      const { status, body } = await standIn.answer(new URL(url), String(options.body ?? ""));
      return Response.json(body, { status });
    }).get("microsoft");
    return { standIn, provider };
  }

  it.each([
    ["common", TENANT, true],
    ["common", CONSUMER_TENANT, true],
    ["organizations", TENANT, true],
    ["organizations", CONSUMER_TENANT, false],
    ["consumers", CONSUMER_TENANT, true],
    ["consumers", TENANT, false],
    [TENANT, TENANT, true],
    [TENANT, OTHER_TENANT, false],
  ])("as %s: an account of tenant %s is let in: %s", async (tenantId, tid, isLetIn) => {
    const { standIn, provider } = microsoft(tenantId);
    standIn.claims = { tid, oid: "o-1", email: "ada@acme.example" };
    const outcome = await signIn(provider, standIn).then(
      ({ subject }) => subject,
      ({ kind }: { kind: string }) => kind,
    );
    expect(outcome).toBe(isLetIn ? `${tid}:o-1` : "tenant-not-allowed");
  });

  it("is refused when the issuer is that of another tenant", async () => {
    const { standIn, provider } = microsoft("common");
    standIn.claims = { tid: TENANT, oid: "o-1", email: "ada@acme.example" };
    standIn.faults = { iss: `https://login.microsoftonline.com/${OTHER_TENANT}/v2.0` };
    await expect(signIn(provider, standIn)).rejects.toMatchObject({ kind: "provider-refused" });
  });
});

it("offers the providers that are set up and no others", async () => {
  const standIn = await startProviderStandIn();
  expect([...createProviders(none).keys()]).toEqual([]);
  expect([...createProviders({ ...none, google: standIn }).keys()]).toEqual(["google"]);
  const microsoft = { ...standIn, tenantId: "common" };
  expect([...createProviders({ ...none, microsoft }).keys()]).toEqual(["microsoft"]);
  expect([...createProviders({ ...none, google: standIn, microsoft }).keys()]).toEqual(["google", "microsoft"]);
  await standIn.close();
});
