import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CALLBACK, type ConnectorFixture, createConnectorFixture, RESOURCE } from "../../testing/connector-fixture.ts";

const RUNS = 2_000;
let fixture: ConnectorFixture;
let clientId: string;

beforeAll(async () => {
  // Nothing that a generated client names may be looked up for real.
  const guard = { resolve: async () => [] };
  fixture = await createConnectorFixture({ guard });
  clientId = (await fixture.newRegisteredAgent()).clientId;
});

afterAll(() => fixture?.close());

const NAMES =
  "client_id redirect_uri response_type response_mode state scope resource prompt code_challenge code_challenge_method nonce request request_uri claims grant_type code code_verifier refresh_token client_secret client_assertion client_assertion_type token token_type_hint svc_code secret decision org".split(
    " ",
  );
const METADATA =
  "client_name redirect_uris grant_types response_types token_endpoint_auth_method scope jwks client_id software_id".split(
    " ",
  );
const value = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom(CALLBACK, RESOURCE, "code", "S256", "x".repeat(43), "data:read", "none", "consent", "query"),
  fc.constantFrom("\u0000", "💥", "{id}", "__proto__", "https://agent.example.com/client.json", "authorization_code"),
);
const pairs = fc.array(fc.tuple(fc.constantFrom(...NAMES), value), { maxLength: 12 });
const request = fc.oneof(
  fc.record({
    kind: fc.constant("GET" as const),
    path: fc.constantFrom("/oauth/authorize", "/oauth/consent/abcdefghijkl"),
    pairs,
  }),
  fc.record({
    kind: fc.constant("form" as const),
    path: fc.constantFrom("/oauth/token", "/oauth/revoke", "/oauth/consent/x"),
    pairs,
  }),
  fc.record({
    kind: fc.constant("json" as const),
    body: fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom(...METADATA), fc.oneof(value, fc.array(value), fc.jsonValue())),
    ),
  }),
);
const cookie = fc.oneof(
  fc.constant(""),
  fc.string().map((text) => `svc_consent=${encodeURIComponent(text)}; svc_session=x`),
);

type Generated = typeof request extends fc.Arbitrary<infer R> ? R : never;

function toInjection(asked: Generated, headers: Record<string, string>) {
  if (asked.kind === "json") {
    const payload = JSON.stringify(asked.body ?? null);
    const type = { "content-type": "application/json" };
    return { method: "POST", url: "/oauth/register", headers: { ...headers, ...type }, payload } as const;
  }
  const form = new URLSearchParams();
  for (const [name, text] of asked.pairs) form.append(name, name === "client_id" ? clientId : text);
  if (asked.kind === "GET") return { method: "GET", url: `${asked.path}?${form.toString()}`, headers } as const;
  const type = { "content-type": "application/x-www-form-urlencoded" };
  return { method: "POST", url: asked.path, headers: { ...headers, ...type }, payload: form.toString() } as const;
}

it(
  `answers ${RUNS} generated requests without an error of its own, and redirects to no stranger`,
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(request, cookie, async (asked, cookies) => {
        const headers = { ...(cookies && { cookie: cookies }), origin: fixture.issuer };
        const { statusCode, headers: answered } = await fixture.app.inject(toInjection(asked, headers));
        expect(statusCode).toBeLessThan(500);
        const { origin } = new URL(answered.location ?? "", fixture.issuer);
        expect([fixture.issuer, new URL(CALLBACK).origin]).toContain(origin);
      }),
      { numRuns: RUNS },
    );
  },
);
