import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROUTE_ACCESS } from "../permissions.ts";
import {
  createIdentityFixture,
  type IdentityFixture,
  OPERATOR_TOKEN,
  type TestOrg,
} from "../testing/identity-fixture.ts";
import { makeApiToken } from "../token-format.ts";

const TOTAL = 20_000;

let fixture: IdentityFixture;
let org: TestOrg;

beforeAll(async () => {
  fixture = await createIdentityFixture();
  org = await fixture.createTestOrg("Fuzz");
});

afterAll(() => fixture?.close());

const routes = Object.keys(ROUTE_ACCESS);

/** Names that some body knows, so that many get past the first check. */
const FIELDS = [
  "name",
  "domains",
  "admin_email",
  "admin_name",
  "role",
  "email",
  "expires_at",
  "token",
  "reason",
  "staff",
];
const value = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom("owner", "viewer", "a@b.example", "2030-01-01T00:00:00Z", "example.com", "\u0000", "💥", "İ"),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.jsonValue(),
);
const body = fc.oneof(fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 4 }), fc.jsonValue());
const token = fc.oneof(
  fc.string(),
  fc.constant("good"),
  fc.constant("operator"),
  fc.constant("well-formed"),
  fc.tuple(fc.base64String(), fc.base64String(), fc.base64String()).map((parts) => parts.join(".")),
);
const segment = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constant("own"),
  fc.stringMatching(/^(mem|inv|tok|sup|org)_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
);

it(`answers ${TOTAL} generated requests to every route without an error of its own and without hanging`, async () => {
  let sent = 0;
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...routes),
      body,
      token,
      fc.array(segment, { minLength: 2, maxLength: 2 }),
      async (route, payload, shown, segments) => {
        const [method, path = ""] = route.split(" ");
        let part = 0;
        const url = path.replaceAll(/:\w+/g, () => {
          const chosen = segments[part++] ?? "x";
          return encodeURIComponent(chosen === "own" ? org.id : chosen.toWellFormed());
        });
        const known = new Map([
          ["good", org.members.owner.token],
          ["operator", OPERATOR_TOKEN],
          ["well-formed", makeApiToken()],
        ]);
        const bearer = known.get(shown) ?? shown;
        // A header cannot hold everything a body can.
        const authorization = `Bearer ${bearer.replaceAll(/[^\x20-\x7e]/g, "?")}`;
        const hasBody = method === "POST" || method === "PATCH";
        const response = await fixture.app.inject({
          method: method as "POST",
          url,
          headers: { authorization, ...(hasBody && { "content-type": "application/json" }) },
          ...(hasBody && { payload: JSON.stringify(payload) }),
        });
        sent += 1;
        const status = response.statusCode;
        seen.set(`${status}`, (seen.get(`${status}`) ?? 0) + 1);
        if (status >= 500)
          throw new Error(`${route} answered ${status} to ${JSON.stringify(payload)}: ${response.body}`);
      },
    ),
    { numRuns: TOTAL, endOnFailure: true },
  );
  expect(sent).toBe(TOTAL);
  // Otherwise the generator only ever met the first check.
  for (const status of ["200", "201", "400", "401", "404"])
    expect([status, (seen.get(status) ?? 0) > 0]).toEqual([status, true]);
}, 180_000);
