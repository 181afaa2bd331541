import { MAX_EXPOSED_SOURCES } from "@svc/contract";
import { uuidOf } from "@svc/platform/ids";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { dataSourcesSettings } from "../settings.ts";
import type { TestOrg } from "../testing/data-sources-fixture.ts";
import { createDomainUnderTest, type DomainUnderTest, JSON_WANTED } from "./testing/domain-under-test.ts";

let domain: DomainUnderTest;

beforeAll(async () => {
  domain = await createDomainUnderTest();
});
afterAll(() => domain?.close());

async function exposeMany(org: TestOrg, count: number): Promise<number[]> {
  const names = Array.from({ length: count }, (_, n) => `many_${n}`);
  const statuses: number[] = [];
  // Few at once: who waits too long for a connection is told that the database is away.
  for (let n = 0; n < count; n += 5) {
    const some = names.slice(n, n + 5);
    await Promise.all(some.map((name) => domain.addSource(org, name)));
    const answers = await Promise.all(some.map((name) => domain.expose(`db_${name}`, { exposed: true }, org)));
    statuses.push(...answers.map(({ status }) => status));
  }
  return statuses;
}
const listed = async ({ tokens }: TestOrg): Promise<number> =>
  (await domain.call("GET", "/api/wf/slim/data-sources", tokens.viewer, undefined, JSON_WANTED)).body.items.length;

describe("exposed sources", () => {
  it("are at most 100 for an organization; another one has its own hundred, and off ones do not count", async () => {
    const [full, other] = [domain.createOrg(), domain.createOrg()];
    expect(MAX_EXPOSED_SOURCES).toBe(100);
    expect((await exposeMany(full, 100)).every((status) => status === 200)).toBe(true);
    await domain.addSource(full, "one_more");
    const refused = await domain.expose("db_one_more", { exposed: true }, full);
    expect([refused.status, refused.body.code]).toEqual([409, "EXPOSED_SOURCE_LIMIT"]);
    expect(refused.body.detail).toContain("100");
    expect(await listed(full)).toBe(100);
    expect(await exposeMany(other, 1)).toEqual([200]);

    // By whichever way one of them stops being exposed, there is room for another.
    await domain.call("PATCH", "/api/wf/databases/many_0", full.tokens.admin, { data_source: false });
    expect((await domain.expose("db_one_more", { exposed: true }, full)).status).toBe(200);
    await domain.call("DELETE", "/api/wf/databases/many_1", full.tokens.admin);
    await domain.addSource(full, "another");
    expect((await domain.expose("db_another", { exposed: true }, full)).status).toBe(200);
    expect(await listed(full)).toBe(100);
  });
});

describe("questions of an organization", () => {
  const setLimits = async (org: TestOrg, per_minute: number, per_day: number): Promise<void> => {
    const values = { org_id: uuidOf(org.id), per_minute, per_day };
    await domain.context.db.insertInto("data_sources.question_limits").values(values).execute();
    await domain.context.sourceChanged(org.id);
  };
  const exposed = async (): Promise<TestOrg> => {
    const org = domain.createOrg();
    for (const name of ["one", "two"]) {
      await domain.addSource(org, name);
      await domain.expose(`db_${name}`, { exposed: true }, org);
    }
    return org;
  };

  it.each([
    ["minute", 3, 100, 60],
    ["day", 100, 3, 86_400],
  ])(
    "beyond what it may ask in a %s are refused until Retry-After, whoever asks and whatever",
    async (window, perMinute, perDay, seconds) => {
      const org = await exposed();
      await setLimits(org, perMinute, perDay);
      // Not configured: asked all the same.
      for (const name of ["one", "two", "one"])
        expect((await domain.ask(org.tokens.viewer, `db_${name}`, { query: "x" })).status).toBe(409);
      for (const token of [org.tokens.viewer, org.tokens.owner]) {
        const { status, headers, body } = await domain.ask(token, "db_two", { query: "x" });
        expect([status, body.code]).toEqual([429, "RATE_LIMITED"]);
        expect(body.detail).toContain(`3 questions a ${window}`);
        const wait = Number(headers["retry-after"]);
        expect(wait).toBeGreaterThan(seconds * 0.9);
        expect(wait).toBeLessThanOrEqual(seconds);
      }
      // Looking at what can be asked is no question.
      expect(await listed(org)).toBe(2);
    },
  );

  it("are 60 a minute and 5,000 a day where the operator says nothing else", () => {
    const { QUESTIONS_PER_MINUTE, QUESTIONS_PER_DAY } = dataSourcesSettings;
    const settings = z.object({ QUESTIONS_PER_MINUTE, QUESTIONS_PER_DAY });
    expect(settings.parse({})).toEqual({ QUESTIONS_PER_MINUTE: 60, QUESTIONS_PER_DAY: 5_000 });
  });
});

describe("a body", () => {
  it("is read up to 256 KiB", async () => {
    const body = (bytes: number): string => `{"query":"${"x".repeat(bytes - 12)}"}`;
    const send = (text: string) =>
      domain.call("POST", "/api/wf/slim/data-sources/db_notes/query", domain.org.tokens.viewer, text, {
        ...JSON_WANTED,
        "content-type": "application/json",
      });
    expect(Buffer.byteLength(body(262_144))).toBe(262_144);
    expect((await send(body(262_144))).body).toMatchObject({ status: 400, problems: [{ path: "query" }] });
    expect((await send(body(262_145))).status).toBe(413);
  });
});
