import { randomUUID } from "node:crypto";
import { type Activity, activityHistogramSchema, type Id } from "@svc/contract";
import { newId, uuidOf } from "@svc/platform/ids";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { countActivity } from "../count-activity.ts";
import { insertActivity } from "../queries/activity.ts";
import { createDataSourcesFixture, type DataSourcesFixture, type TestOrg } from "../testing/data-sources-fixture.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Noon of yesterday, so that whatever is a few hours before is on a day of its own or not, as the test wants it. */
const NOON = Math.floor(Date.now() / DAY) * DAY - DAY / 2;
const iso = (time: number) => new Date(time).toISOString();

let fixture: DataSourcesFixture;
let org: TestOrg;

beforeAll(async () => {
  fixture = await createDataSourcesFixture();
  await sql`select platform.ensure_daily_partition('data_sources', 'activity', (now() at time zone 'UTC')::date - days)
    from generate_series(0, 5) as days`.execute(fixture.context.db);
});
afterAll(() => fixture?.close());
beforeEach(() => {
  org = fixture.createOrg();
});

interface Question {
  user?: Id<"usr">;
  outcome?: Activity["outcome"];
  source?: string;
  sourceId?: string;
}

function idAt(time: number): string {
  const hex = time.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`;
}

/** A record of a question that was asked then. */
async function record(at: number, { user, outcome = "ok", source = "api", sourceId = "db_notes" }: Question = {}) {
  await insertActivity(fixture.context.db, [
    {
      org_id: uuidOf(org.id),
      id: idAt(at),
      type: "data_sources",
      source_id: sourceId,
      source,
      caller_kind: "api_token",
      user_id: user ? uuidOf(user) : null,
      user_email: null,
      client_id: null,
      duration_ms: 1,
      question_bytes: 1,
      answer_bytes: 1,
      hits: 1,
      question_digest: "\\x00",
      answer_digest: null,
      outcome,
    },
  ]);
}

const count = (query = "", token = org.tokens.owner) =>
  fixture.call("GET", `/api/wf/activity/histogram?type=data_sources${query}`, token);
const range = (from: number, to: number) => `&from=${iso(from)}&to=${iso(to)}`;
const totalOf = ({ buckets }: { buckets: { ok: number; failed: number }[] }) =>
  buckets.reduce((sum, { ok, failed }) => sum + ok + failed, 0);

describe("the histogram of activity", () => {
  it("counts what went well and what failed, each in its bucket, and shows empty buckets as zeros", async () => {
    await record(NOON);
    await record(NOON + 59_999);
    await record(NOON + 2 * MINUTE, { outcome: "TIMEOUT" });
    await record(NOON + 3 * MINUTE, { outcome: "RATE_LIMITED" });
    await record(NOON + 3 * MINUTE + 1);
    const { status, body } = await count(range(NOON, NOON + 5 * MINUTE));
    expect(status).toBe(200);
    expect(activityHistogramSchema.strict().parse(body)).toEqual({
      from: iso(NOON),
      to: iso(NOON + 5 * MINUTE),
      bucket_seconds: 60,
      buckets: [
        { at: iso(NOON), ok: 2, failed: 0 },
        { at: iso(NOON + MINUTE), ok: 0, failed: 0 },
        { at: iso(NOON + 2 * MINUTE), ok: 0, failed: 1 },
        { at: iso(NOON + 3 * MINUTE), ok: 1, failed: 1 },
        { at: iso(NOON + 4 * MINUTE), ok: 0, failed: 0 },
      ],
    });
  });

  it("leaves out what is before and after the range, though the first and the last bucket reach further", async () => {
    for (const at of [NOON - 1, NOON + 30_000, NOON + 90_000, NOON + 90_001]) await record(at);
    const { body } = await count(range(NOON + 1, NOON + 90_001));
    expect(body.buckets).toEqual([
      { at: iso(NOON), ok: 1, failed: 0 },
      { at: iso(NOON + MINUTE), ok: 1, failed: 0 },
    ]);
  });

  it("is of the last 24 hours in quarters of an hour unless told", async () => {
    await record(Date.now() - MINUTE);
    await record(Date.now() - DAY - HOUR);
    const { body } = await count();
    expect(Date.parse(body.to) - Date.parse(body.from)).toBe(DAY);
    expect(Date.now() - Date.parse(body.to)).toBeLessThan(MINUTE);
    expect(body.bucket_seconds).toBe(900);
    expect(body.buckets.length).toBeGreaterThanOrEqual(96);
    expect(totalOf(body)).toBe(1);
    expect((await count(`&to=${iso(NOON)}`)).body).toMatchObject({ from: iso(NOON - DAY), to: iso(NOON) });
    // Of functions, as in the list.
    expect(totalOf((await fixture.call("GET", "/api/wf/activity/histogram", org.tokens.owner)).body)).toBe(0);
  });

  it("counts what the list has, with the same filters", async () => {
    const [asker, other] = [newId("usr"), newId("usr")];
    await record(NOON, { user: asker, source: "mcp" });
    await record(NOON - HOUR, { user: asker, source: "cli", sourceId: "db_other" });
    await record(NOON - DAY, { user: other, source: "mcp" });
    await record(NOON - 3 * DAY, { user: other, source: "api", outcome: "INTERNAL" });
    for (const filter of [
      "",
      "&source=mcp",
      "&source_id=db_other",
      `&user_id=${asker}`,
      `&source=mcp&user_id=${other}`,
    ]) {
      for (const from of [NOON - 4 * DAY, NOON - DAY, NOON - HOUR + 1]) {
        const query = `${filter}${range(from, NOON + 1)}`;
        const { body } = await fixture.call("GET", `/api/wf/activity?type=data_sources${query}`, org.tokens.owner);
        expect([query, totalOf((await count(query)).body)]).toEqual([query, body.items.length]);
      }
    }
  });

  it.each([
    [1, 60, 60],
    [100, 60, 60],
    [101, 60, 300],
    [8, 3_600, 300],
    [24, 3_600, 900],
    [4, 86_400, 3_600],
    [12, 86_400, 10_800],
    [13, 86_400, 86_400],
    [199, 86_400, 86_400],
  ])("for %i times %i seconds has buckets of %i seconds and at most 200 of them", async (times, seconds, expected) => {
    const caller = org.callers.owner;
    for (const shift of [0, 1, seconds * 500]) {
      const to = new Date(NOON + shift);
      const from = new Date(to.getTime() - times * seconds * 1_000);
      const { bucket_seconds, buckets } = await countActivity(fixture.context.db, caller, { type: "x", from, to });
      expect(bucket_seconds).toBe(expected);
      expect(buckets.length).toBeLessThanOrEqual(times === 199 ? 200 : 101);
      const [first] = buckets;
      expect(Date.parse(first?.at ?? "") % (expected * 1_000)).toBe(0);
      expect(Date.parse(first?.at ?? "")).toBeGreaterThan(from.getTime() - expected * 1_000);
      expect(Date.parse(buckets.at(-1)?.at ?? "")).toBeLessThan(to.getTime());
    }
  });

  it.each([
    ["that ends before it begins", range(NOON, NOON - 1), "from"],
    ["that is empty", range(NOON, NOON), "from"],
    ["that begins after now", `&from=${iso(Date.now() + HOUR)}`, "from"],
    ["of more than 199 days", range(NOON - 199 * DAY - 1, NOON), "from"],
    ["of no time", "&to=tomorrow", "to"],
  ])("refuses a range %s with 400", async (_which, query, path) => {
    const { status, body } = await count(query);
    expect(status).toBe(400);
    expect(body.problems).toMatchObject([{ path: expect.stringContaining(path) }]);
  });

  it.each(["&source=ftp", "&user_id=me", "&limit=5", "&unknown=1"])("refuses %s", async (query) => {
    expect((await count(query)).status).toBe(400);
  });
});

describe("who sees what in it", () => {
  it.each(["viewer", "member"] as const)("%s: what they asked themselves, and nothing of others", async (role) => {
    const own = org.callers[role].user?.id as Id<"usr">;
    await record(NOON, { user: own });
    await record(NOON, { user: org.callers.owner.user?.id as Id<"usr"> });
    await record(NOON);
    const query = range(NOON, NOON + 1);
    expect(totalOf((await count(query, org.tokens[role])).body)).toBe(1);
    expect(totalOf((await count(`${query}&user_id=${own}`, org.tokens[role])).body)).toBe(1);
    const refused = await count(`${query}&user_id=${org.callers.owner.user?.id}`, org.tokens[role]);
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining("Leave user_id out")]);
  });

  it.each(["developer", "admin", "owner"] as const)("%s: everyone's of the organization", async (role) => {
    for (const asker of ["viewer", "owner"] as const)
      await record(NOON, { user: org.callers[asker].user?.id as Id<"usr"> });
    expect(totalOf((await count(range(NOON, NOON + 1), org.tokens[role])).body)).toBe(2);
  });

  it("another organization: nothing, and a token of no person below developer: 403", async () => {
    await record(NOON);
    const stranger = fixture.createOrg();
    expect(totalOf((await count(range(NOON, NOON + 1), stranger.tokens.owner)).body)).toBe(0);
    delete org.callers.viewer.user;
    expect((await count("", org.tokens.viewer)).status).toBe(403);
  });
});
