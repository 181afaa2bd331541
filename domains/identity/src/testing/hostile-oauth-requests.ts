import fc from "fast-check";
import { PATHS } from "../connector/create-provider.ts";

export interface HostileRequest {
  method: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Requests that would be good, from which the hostile ones are made. */
export interface GoodRequests {
  authorize: Record<string, string>;
  renew: Record<string, string>;
  redeem: Record<string, string>;
  revoke: Record<string, string>;
  register: Record<string, unknown>;
}

const NAMES =
  "client_id redirect_uri response_type response_mode state scope resource prompt code_challenge code_challenge_method nonce request request_uri claims grant_type code code_verifier refresh_token client_secret client_assertion client_assertion_type token token_type_hint svc_code secret decision org __proto__".split(
    " ",
  );
const METADATA =
  "client_name redirect_uris grant_types response_types token_endpoint_auth_method scope jwks jwks_uri client_id client_uri software_id application_type __proto__".split(
    " ",
  );
const KNOWN = [
  "",
  "code",
  "none",
  "consent",
  "query",
  "form_post",
  "S256",
  "plain",
  "data:read",
  "openid offline_access",
  "authorization_code",
  "client_credentials",
  "private_key_jwt",
  "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  "x".repeat(43),
  "e30.e30.e30",
  "https://agent.example.com/callback",
  "https://agent.example.com/client.json",
  "https://evil.example/cb",
  "http://localhost:1/cb",
  "javascript:alert(1)",
  "https://mcp.example.com/platform/",
  "constructor",
  "' or 1=1 --",
  "\u0000",
  "\ud800",
  "💥",
  "%00",
  "a".repeat(3_000),
];
const value = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...KNOWN) },
  fc.string({ maxLength: 20 }),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const change = fc.record({
  how: fc.constantFrom("set" as const, "set" as const, "remove" as const, "repeat" as const),
  at: fc.nat(),
  name: fc.constantFrom(...NAMES),
  value,
});
const changes = fc.array(change, { maxLength: 4 });
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

/** Half of what is changed is a parameter that was there. */
function toForm(good: Record<string, string>, wanted: Change[]): string {
  const form = new URLSearchParams(good);
  const own = Object.keys(good);
  for (const { how, at, name, value: text } of wanted) {
    const chosen = at % 2 === 0 ? (own[(at >> 1) % own.length] ?? name) : name;
    if (how === "remove") form.delete(chosen);
    else if (how === "set") form.set(chosen, text);
    else form.append(chosen, text);
  }
  return form.toString();
}

const json = fc.oneof(
  { weight: 4, arbitrary: value },
  fc.array(value, { maxLength: 3 }),
  fc.constantFrom<unknown>(null, 0, -1, 1e308, true, [], {}, [[]], [null], { keys: [{}] }),
);
const metadata = fc.dictionary(fc.constantFrom(...METADATA), json, { maxKeys: 4, noNullPrototype: true });
const headers = fc.record(
  {
    accept: fc.constantFrom("*/*", "application/json", "text/html", ",;q=x"),
    authorization: fc.constantFrom("Basic Og==", "Basic %%%", "Bearer x", `Basic ${"QUFB".repeat(500)}`, "DPoP x"),
    cookie: value.map(
      (text) => `svc_consent=${encodeURIComponent(text.toWellFormed())}; svc_session=x; svc_consent.sig`,
    ),
    origin: fc.constantFrom("null", "https://evil.example"),
    "content-type": fc.constantFrom(
      "text/plain",
      "application/json",
      "application/x-www-form-urlencoded",
      ",",
      "a/b;=",
    ),
    "x-forwarded-host": fc.constantFrom("evil.example", ","),
    "x-forwarded-proto": fc.constantFrom("javascript", "https"),
    "x-request-id": fc.constantFrom("short", "x".repeat(200)),
  },
  { requiredKeys: [] },
);
const few = fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, headers);
const uid = fc.constantFrom("abcdefghijkl", "x", "..%2f..", "__proto__", "x".repeat(101), "%00aaaaaaaaaa");
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const JSON_TYPE = { "content-type": "application/json" };

/** Requests as no agent means them, near enough to good ones to get far. */
export function hostileRequests(good: GoodRequests): fc.Arbitrary<HostileRequest> {
  const posted = (path: string, from: Record<string, string>): fc.Arbitrary<HostileRequest> =>
    fc.tuple(changes, few).map(([wanted, more]) => ({
      method: "POST",
      path,
      headers: { ...FORM, ...more },
      body: toForm(from, wanted),
    }));
  const opened = (path: fc.Arbitrary<string>): fc.Arbitrary<HostileRequest> =>
    fc.tuple(path, changes, few).map(([at, wanted, more]) => ({
      method: "GET",
      path: `${at}?${toForm(good.authorize, wanted)}`,
      headers: more,
      body: undefined,
    }));
  const registered = fc.tuple(metadata, fc.boolean(), few, fc.nat(40)).map(([said, isWhole, more, cut]) => {
    const body = JSON.stringify(isWhole ? { ...good.register, ...said } : said);
    return {
      method: "POST" as const,
      path: PATHS.register,
      headers: { ...JSON_TYPE, ...more },
      body: cut === 0 ? body.slice(0, body.length / 2) : body,
    };
  });
  const consent = uid.map((one) => `${PATHS.consent}/${one}`);
  return fc.oneof(
    { weight: 6, arbitrary: opened(fc.constant(PATHS.authorize)) },
    { weight: 1, arbitrary: opened(uid.map((one) => `${PATHS.authorize}/${one}`)) },
    { weight: 3, arbitrary: posted(PATHS.token, good.renew) },
    { weight: 3, arbitrary: posted(PATHS.token, good.redeem) },
    { weight: 2, arbitrary: posted(PATHS.revoke, good.revoke) },
    { weight: 3, arbitrary: registered },
    { weight: 1, arbitrary: opened(consent) },
    { weight: 1, arbitrary: consent.chain((path) => posted(path, { decision: "allow", secret: "x", org: "x" })) },
  );
}
