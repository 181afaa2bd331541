import { activitySchema } from "@svc/contract";
import { waitUntil } from "@svc/platform/testing";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDomainUnderTest, type DomainUnderTest } from "./testing/domain-under-test.ts";

/** In the question, in a filter and in a row that is found; and nowhere else. */
const WORD = "quokkas";

let domain: DomainUnderTest;
let yaml: { text: string; status: number };

const list = async (query: string): Promise<any[]> =>
  (await domain.call("GET", `/api/wf/activity?${query}`, domain.org.tokens.owner)).body.items;
const ask = (question: object, accept = "*/*") =>
  domain.call("POST", "/api/wf/slim/data-sources/db_notes/query", domain.org.tokens.viewer, question, { accept });

beforeAll(async () => {
  domain = await createDomainUnderTest();
  await domain.customer.owner.query(`update notes set title = '${WORD}', lang = '${WORD}' where id = 2`);
  yaml = await ask({ query: `${WORD} and their holidays`, filters: { lang: [WORD, "en"] } });
  await ask({ query: WORD, filters: { [WORD]: WORD } });
  await ask({ query: WORD, target: WORD });
  await waitUntil(async () => (await list("type=data_sources")).length === 3);
});
afterAll(() => domain?.close());

describe("the record of a question", () => {
  it("has exactly the fields that are written down, with a time in UTC", async () => {
    for (const record of await list("type=data_sources")) {
      expect(activitySchema.strict().safeParse(record).error).toBeUndefined();
      expect(record.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(record.id).toMatch(/^act_[0-9a-hjkmnp-tv-z]{26}$/);
      expect(record.source_id).toBe("db_notes");
    }
  });

  it("has the size of the body that was sent, be it YAML or JSON", async () => {
    const json = await ask({ query: "only the size counts" }, "application/json");
    await waitUntil(async () => (await list("type=data_sources")).length === 4);
    const sizes = (await list("type=data_sources")).map(({ answer_bytes }) => answer_bytes);
    expect(sizes).toContain(Buffer.byteLength(json.text));
    expect(sizes).toContain(Buffer.byteLength(yaml.text));
  });

  it("has no word of the question, of a filter or of what was found: neither on the wire nor in the table", async () => {
    // Otherwise it would be looked for where it was never found.
    expect(yaml.text).toContain(WORD);
    expect(JSON.stringify(await list("type=data_sources"))).not.toContain(WORD);
    const { rows } = await sql`select a::text from data_sources.activity a`.execute(domain.context.db);
    expect(rows.length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(rows)).not.toContain(WORD);
    // Bytes are hexadecimal in a dump.
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(WORD).toString("hex"));
  });

  it("has columns for sizes and digests alone, none that could hold a text of the asker", async () => {
    const { rows } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns
       where table_schema = 'data_sources' and table_name = 'activity' order by 1`.execute(domain.context.db);
    expect(rows.map(({ name }) => name)).toEqual(
      (
        "answer_bytes answer_digest caller_kind client_id duration_ms hits id org_id outcome question_bytes " +
        "question_digest source source_id type user_email user_id"
      ).split(" "),
    );
  });

  it("is not made of what was turned away at the door", async () => {
    const before = (await list("type=data_sources")).length;
    await domain.ask(domain.org.tokens.viewer, "db_none", { query: WORD });
    await domain.expose("db_notes", { exposed: true, min_role: "owner" });
    await domain.ask(domain.org.tokens.viewer, "db_notes", { query: WORD });
    await domain.expose("db_notes", { exposed: true, min_role: "viewer" });
    await ask({ query: "the last of them" });
    await waitUntil(async () => (await list("type=data_sources")).length > before);
    expect(await list("type=data_sources")).toHaveLength(before + 1);
  });
});

describe("the list of activity", () => {
  it("is of functions unless it is asked for data sources, which are never among functions", async () => {
    expect(await list("")).toEqual([]);
    expect(await list("type=functions")).toEqual([]);
    for (const { type } of await list("type=data_sources")) expect(type).toBe("data_sources");
  });

  it.each(["type=all", "type=", "type=functions&type=data_sources", "type=data_sources&source=web"])(
    "knows no other kind or door: %s",
    async (query) => {
      const { status, body } = await domain.call("GET", `/api/wf/activity?${query}`, domain.org.tokens.owner);
      expect([status, body.code]).toEqual([400, "INVALID_REQUEST"]);
    },
  );

  it.each(["mcp", "cli", "api"])("can be narrowed to the door %s", async (door) => {
    const records = await list(`type=data_sources&source=${door}`);
    expect(records.every(({ source }) => source === door)).toBe(true);
    expect(records.length > 0).toBe(door === "api");
  });

  it("comes in pages of at most 100, with a cursor until there is no more", async () => {
    const seen: string[] = [];
    let cursor = "";
    do {
      const url = `/api/wf/activity?type=data_sources&limit=2${cursor}`;
      const { body } = await domain.call("GET", url, domain.org.tokens.owner);
      expect(Object.keys(body).toSorted()).toEqual(["items", "next_cursor"]);
      expect(body.items.length).toBeLessThanOrEqual(2);
      seen.push(...body.items.map(({ id }: any) => id));
      cursor = body.next_cursor === null ? "" : `&cursor=${body.next_cursor}`;
    } while (cursor !== "");
    expect(seen).toEqual((await list("type=data_sources&limit=100")).map(({ id }) => id));
    expect(new Set(seen).size).toBe(seen.length);
  });
});
