import { ERRORS, MAX_ANSWER_BYTES, problemSchema } from "@svc/contract";
import type { Server } from "@svc/platform/http";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { NOTES_CONFIGURATION } from "../testing/notes.ts";
import { createDomainUnderTest, type DomainUnderTest } from "./testing/domain-under-test.ts";
import { describedOperations, isSlim, keyOf, ROUTES, type RouteUnderTest } from "./testing/routes-under-test.ts";

const TOTAL = 5_000;
/** So many at a time, which is quicker and has them meet each other. */
const AT_ONCE = 10;
/** Far more than any of them takes; a customer's database is given five seconds. */
const LONGEST_MS = 10_000;

let domain: DomainUnderTest;
let declared: Map<string, Set<number>>;

beforeAll(async () => {
  domain = await createDomainUnderTest();
  const { org } = domain;
  for (const name of ["bare", "second"]) await domain.addSource(org, name);
  await domain.expose("db_bare", { exposed: true });
  const operations = await describedOperations(domain.app);
  declared = new Map(
    [...operations].map(([key, { responses }]) => [
      key,
      new Set(Object.keys(responses).map((status) => Number(status))),
    ]),
  );
});
afterAll(() => domain?.close());

/** Names that some body or query knows, so that many get past the first check. */
const FIELDS = (
  "query filters top_k target connection_config embedding_configs filter_schema exposed min_role name description " +
  "data_source send_rows_to_embedding_provider dry_run type source source_id user_id from to limit cursor __proto__ constructor"
).split(" ");
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "notes",
    "db_notes",
    "owner",
    "viewer",
    "data_sources",
    "true",
    "2026-01-01T00:00:00Z",
    "\u0000",
    "\ud800",
    "💥",
    "İ",
    "'--",
  ),
);
const value = fc.oneof(
  text,
  fc.integer({ min: -2, max: 30 }),
  fc.boolean(),
  fc.array(text, { maxLength: 3 }),
  fc.jsonValue({ maxDepth: 2 }),
);
const fields = fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 4 });
const column = fc.oneof(fc.constantFrom("lang", "year", "draft", "secret", "id"), text);
/** Mostly what is right, so that what stands behind it is reached. */
const mostly = <T>(right: fc.Arbitrary<T>): fc.Arbitrary<unknown> => fc.oneof({ arbitrary: right, weight: 8 }, value);
const filters = fc.oneof(
  { arbitrary: fc.constantFrom({}, { lang: "en" }, { year: ["2025", 2023], draft: false }), weight: 4 },
  fc.dictionary(column, value, { maxKeys: 2 }),
);
const question = fc.record(
  {
    query: mostly(fc.string({ minLength: 1, unit: "binary" })),
    filters,
    top_k: mostly(fc.integer({ min: 1, max: 20 })),
    target: mostly(fc.constant("notes")),
  },
  { requiredKeys: ["query"] },
);
const [ENTRY] = NOTES_CONFIGURATION.connection_config.embedding_configs;
const entry = fc
  .dictionary(fc.constantFrom(...Object.keys(ENTRY), "columns", "distance_metric"), value, { maxKeys: 2 })
  .map((changes) => ({ ...ENTRY, ...changes }));
const configuration = fc.record({
  connection_config: fc.record({ embedding_configs: fc.array(entry, { maxLength: 2 }) }),
  filter_schema: fc.dictionary(column, fc.oneof(fc.constantFrom("string", "number", "boolean"), value), { maxKeys: 2 }),
});
const bodyFor: Record<string, fc.Arbitrary<unknown>> = {
  "POST /api/wf/slim/data-sources/{id}/query": question,
  "PUT /api/wf/data-sources/{id}": configuration,
};

const segment = fc.oneof(
  { arbitrary: fc.constant("notes"), weight: 12 },
  { arbitrary: fc.constantFrom("bare", "second"), weight: 2 },
  fc.constantFrom("absent", "x".repeat(201), "..", "%00", "a\u0000"),
  text.filter((name) => name !== ""),
  fc.stringMatching(/^ds_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
);
const token = fc.oneof({ arbitrary: fc.constantFrom("viewer", "developer", "admin", "owner"), weight: 8 }, text);
const method = fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

/** Questions most of all; what looks into a customer's database for long, less often. */
const weightOf = ({ path }: RouteUnderTest): number =>
  path.endsWith("/query") ? 20 : /health|probe|sample|data-sources\/{id}$/.test(path) ? 1 : 4;
const request = fc
  .oneof(...ROUTES.map((route) => ({ arbitrary: fc.constant(route), weight: weightOf(route) })))
  .chain((route) =>
    fc.record({
      route: fc.constant(route),
      method: fc.oneof({ arbitrary: fc.constant(route.method as string), weight: 12 }, method),
      segment,
      query: fc.oneof({ arbitrary: fc.constant({}), weight: 2 }, fields),
      token,
      body: fc.oneof(
        { arbitrary: bodyFor[keyOf(route)] ?? fc.constant(route.body), weight: 8 },
        fields,
        fc.jsonValue({ maxDepth: 2 }),
      ),
      /** In place of the body. */
      payload: fc.oneof(
        { arbitrary: fc.constant(undefined), weight: 12 },
        fc.string(),
        fc.constantFrom("", "{", "nul", '{"query":"x"}'),
      ),
      type: fc.oneof(
        { arbitrary: fc.constant("application/json"), weight: 12 },
        fc.constantFrom("text/plain", "application/yaml", "application/json; charset=latin1", "x", ""),
      ),
      accept: fc.oneof(
        fc.constantFrom("application/json", "*/*", "application/yaml;q=0.5, application/json", ""),
        text,
      ),
    }),
  );
type Generated = typeof request extends fc.Arbitrary<infer T> ? T : never;
type Response = Awaited<ReturnType<Server["inject"]>>;

/** A header cannot hold everything a body can. */
const asHeader = (given: string): string => given.replaceAll(/[^\x20-\x7e]/g, "?");

/** What takes db_notes away for good is tried on another, or all later questions would meet nothing. */
const isForGood = ({ method, route }: Generated): boolean => method === "DELETE" || route.path.endsWith("/rotate");

function urlFor(generated: Generated): string {
  const { route, query } = generated;
  const name = generated.segment === "notes" && isForGood(generated) ? "second" : generated.segment;
  const encoded = encodeURIComponent(name.toWellFormed());
  const path = route.path.replace("{name}", encoded).replace("{id}", /^ds_|^\W/.test(name) ? encoded : `db_${encoded}`);
  const entries = Object.entries(query).map(([key, given]): [string, string] => [
    key,
    (typeof given === "string" ? given : (JSON.stringify(given) ?? "")).toWellFormed(),
  ]);
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries).toString()}`;
}

async function send(generated: Generated): Promise<Response & { ms: number }> {
  const startedAt = performance.now();
  const known = new Map<string, string>(Object.entries(domain.org.tokens)).get(generated.token) ?? generated.token;
  const hasBody = !["GET", "HEAD", "OPTIONS"].includes(generated.method);
  const payload = generated.payload ?? JSON.stringify(generated.body) ?? "";
  const answer = await domain.app.inject({
    method: generated.method as "GET",
    url: urlFor(generated),
    headers: {
      authorization: `Bearer ${asHeader(known)}`,
      accept: asHeader(generated.accept),
      ...(hasBody && { "content-type": generated.type }),
    },
    ...(hasBody && { payload }),
  });
  return Object.assign(answer, { ms: performance.now() - startedAt });
}

/** Some of the requests switch db_notes off, hide it or configure it otherwise. */
async function makeAskable(): Promise<void> {
  await domain.save("db_notes", NOTES_CONFIGURATION);
  await domain.call("PATCH", "/api/wf/databases/notes", domain.org.tokens.admin, { data_source: true });
  await domain.expose("db_notes", { exposed: true, min_role: "viewer" });
}

/** What is wrong with an answer, whatever was asked. */
function faultOf({ route, method }: Generated, answer: Response & { ms: number }): string | undefined {
  const { statusCode: status, headers } = answer;
  if (status === 500) return "an error of ours";
  if (answer.ms > LONGEST_MS) return "too slow";
  if (headers["x-request-id"] === undefined) return "no request id";
  if (method === "HEAD") return undefined;
  const type = String(headers["content-type"]).split(";")[0];
  if (status < 400) return isSlim(route) && Buffer.byteLength(answer.body) > MAX_ANSWER_BYTES ? "too long" : undefined;
  if (type !== "application/problem+json" && !(isSlim(route) && type === "application/yaml"))
    return `a problem in ${type}`;
  const problem = problemSchema.strict().safeParse(type === "application/yaml" ? parse(answer.body) : answer.json());
  if (!problem.success) return `no problem of the contract: ${problem.error.message}`;
  if (problem.data.status !== status || ERRORS[problem.data.code].status !== status)
    return "another status in its body";
  // Another method, or a part of the address that is too long, leads to no route at all.
  if (problem.data.detail === "No such address.") return undefined;
  const statuses = declared.get(`${method} ${route.path}`);
  return !statuses || statuses.has(status) ? undefined : "a status that the route does not declare";
}

it(`answers ${TOTAL} generated requests to every route with what the route declares, in time and never with a 500`, async () => {
  const seen = new Map<number, number>();
  let [round, answered] = [0, 0];
  const check = async (generated: Generated): Promise<void> => {
    const answer = await send(generated);
    const { statusCode: status } = answer;
    const fault = faultOf(generated, answer);
    const { method, route } = generated;
    if (fault !== undefined)
      throw new Error(`${method} ${route.path} ${status}: ${fault}: ${answer.body.slice(0, 300)}`);
    if (status === 200 && route.path.endsWith("/query")) answered += 1;
    seen.set(status, (seen.get(status) ?? 0) + 1);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (requests) => {
      if (round++ % 5 === 0) await makeAskable();
      await Promise.all(requests.map(check));
    }),
    { numRuns: TOTAL / AT_ONCE, endOnFailure: true },
  );
  expect([...seen.values()].reduce((sum, count) => sum + count, 0)).toBe(TOTAL);
  // Otherwise the generator only ever met the first check.
  expect(answered).toBeGreaterThan(150);
  expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 401, 403, 404, 409, 415]));
}, 180_000);
