import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROUTE_ACCESS } from "../permissions.ts";
import { OPERATOR_TOKEN, type TestOrg } from "../testing/identity-fixture.ts";
import { createSignInFixture, type SignInFixture } from "../testing/sign-in-fixture.ts";
import { makeApiToken } from "../token-format.ts";

const TOTAL = 20_000;

const SIGN_IN_ROUTES = [
  "GET /login",
  "GET /auth/:provider/callback",
  "GET /api/v1/session",
  "POST /api/v1/session/token",
  "POST /api/v1/session/exchange",
  "POST /api/v1/session/end-everywhere",
  "GET /auth/no-organization",
  "POST /auth/organization",
  "POST /logout",
  "GET /auth/signed-out",
  "GET /auth/problem/:kind",
];

let fixture: SignInFixture;
let org: TestOrg;
/** A person who is really signed in, so that generated requests get past the cookie. */
let session: string;

beforeAll(async () => {
  fixture = await createSignInFixture();
  org = await fixture.createTestOrg("Fuzz");
  const browser = fixture.newBrowser();
  await browser.signIn({ sub: "1", email: "fuzz@gmail.com", email_verified: true });
  session = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
});

afterAll(() => fixture?.close());

/** Names that some body or query knows, so that many get past the first check. */
const FIELDS =
  "name domains admin_email admin_name role email expires_at token reason staff provider redirect_to code state org error".split(
    " ",
  );
const value = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "owner",
    "a@b.example",
    "2030-01-01T00:00:00Z",
    "example.com",
    "\u0000",
    "💥",
    "İ",
    "google",
    "//evil",
  ),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.jsonValue(),
);
const fields = fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 4 });
const body = fc.oneof(fields, fc.record({ name: fc.string({ unit: "binary" }) }), fc.jsonValue());
const token = fc.oneof(
  fc.string(),
  { arbitrary: fc.constantFrom("good", "operator", "well-formed"), weight: 3 },
  fc.tuple(fc.base64String(), fc.base64String(), fc.base64String()).map((parts) => parts.join(".")),
);
const segment = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom("own", "google", "microsoft", "lost"),
  fc.stringMatching(/^(mem|inv|tok|sup|org)_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
);
const request = fc.record({
  route: fc.constantFrom(...Object.keys(ROUTE_ACCESS), ...SIGN_IN_ROUTES),
  body,
  query: fields,
  token,
  cookie: fc.oneof(fc.constant("session"), fc.string()),
  form: fc.boolean(),
  segments: fc.tuple(segment, segment),
});
type Generated = typeof request extends fc.Arbitrary<infer T> ? T : never;

/** A header cannot hold everything a body can. */
function asHeader(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "?");
}

function urlOf({ route, query, segments }: Generated): string {
  const path = route.split(" ")[1] ?? "";
  let part = 0;
  const filled = path.replaceAll(/:\w+/g, () => {
    const chosen = segments[part++] ?? "x";
    return encodeURIComponent(chosen === "own" ? org.id : chosen.toWellFormed());
  });
  if (route.startsWith("POST") || Object.keys(query).length === 0) return filled;
  const search = new URLSearchParams(
    Object.entries(query).map(([name, given]): [string, string] => [name, JSON.stringify(given) ?? ""]),
  );
  return `${filled}?${search.toString()}`;
}

async function send(generated: Generated): Promise<{ statusCode: number; body: string }> {
  const known = new Map([
    ["good", org.members.owner.token],
    ["operator", OPERATOR_TOKEN],
    ["well-formed", makeApiToken()],
  ]);
  const method = generated.route.split(" ")[0] as "POST";
  const json = JSON.stringify(generated.body);
  const payload = generated.form ? new URLSearchParams({ name: json }).toString() : json;
  const hasBody = method === "POST" || (method as string) === "PATCH";
  return fixture.app.inject({
    method,
    url: urlOf(generated),
    headers: {
      authorization: `Bearer ${asHeader(known.get(generated.token) ?? generated.token)}`,
      cookie: generated.cookie === "session" ? session : asHeader(generated.cookie),
      origin: "https://app.example.com",
      ...(hasBody && { "content-type": generated.form ? "application/x-www-form-urlencoded" : "application/json" }),
    },
    ...(hasBody && { payload }),
  });
}

it(`answers ${TOTAL} generated requests to every route without an error of its own and without hanging`, async () => {
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(request, async (generated) => {
      const { statusCode, body: answer } = await send(generated);
      seen.set(statusCode, (seen.get(statusCode) ?? 0) + 1);
      if (statusCode >= 500) throw new Error(`${generated.route} answered ${statusCode}: ${answer.slice(0, 300)}`);
    }),
    { numRuns: TOTAL, endOnFailure: true },
  );
  const total = [...seen.values()].reduce((sum, count) => sum + count, 0);
  expect(total).toBe(TOTAL);
  // Otherwise the generator only ever met the first check.
  expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 201, 303, 400, 401, 404, 415]));
}, 240_000);
