import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDataSourcesFixture, type DataSourcesFixture, type TestOrg } from "../testing/data-sources-fixture.ts";

const TRIES = 500;

let fixture: DataSourcesFixture;
let org: TestOrg;

beforeAll(async () => {
  fixture = await createDataSourcesFixture();
  org = fixture.createOrg();
  const other = fixture.createOrg();
  await fixture.addSource(org, "hidden");
  await fixture.addSource(org, "off", undefined, false);
  await fixture.addSource(org, "deleted");
  await fixture.addSource(other, "theirs");
  for (const [token, name] of [
    [org.tokens.owner, "deleted"],
    [other.tokens.owner, "theirs"],
  ] as const) {
    await fixture.call("PUT", `/api/wf/data-sources/db_${name}/exposure`, token, { exposed: true });
  }
  await fixture.context.db
    .updateTable("data_sources.databases")
    .set({ status: "deleting", delete_after: new Date(Date.now() + 86_400_000) })
    .where("name", "=", "deleted")
    .execute();
  for (let n = 0; n < TRIES; n += 1) await fixture.addSource(org, `hidden_${n}`);
});
afterAll(() => fixture.close());

/** All of an answer that a caller can see, but the id of the request and the time. */
async function seen(source: string, headers: Record<string, string>): Promise<object> {
  const answer = await fixture.call(
    "POST",
    `/api/wf/slim/data-sources/${source}/query`,
    org.tokens.viewer,
    { query: "x" },
    headers,
  );
  const { "x-request-id": id, date: _date, ...rest } = answer.headers;
  expect(id).toBeDefined();
  return { status: answer.status, headers: Object.entries(rest), bytes: answer.text };
}

describe("a source that is hidden", () => {
  it.each([{ accept: "application/json" }, { accept: "*/*" }])(
    "cannot be told from one that is not there, byte for byte: %j",
    async (headers) => {
      const unknown = await seen("db_unknown", headers);
      expect(unknown).toMatchObject({ status: 404 });
      for (const source of [
        "db_hidden",
        "db_off",
        "db_deleted",
        "db_theirs",
        "ds_01h455vb4pex5vsknk084sn02q",
        "no-id-at-all",
      ]) {
        expect(await seen(source, headers)).toEqual(unknown);
      }
    },
  );

  it(`cannot be told by time over ${TRIES} tries, asked for the first time or again`, async () => {
    const times = { hidden: [] as number[], unknown: [] as number[], control: [] as number[] };
    const time = async (into: number[], source: string): Promise<void> => {
      const startedAt = performance.now();
      await fixture.ask(org.tokens.viewer, source, { query: "x" });
      into.push(performance.now() - startedAt);
    };
    const round = async (name: (kind: string, n: number) => string): Promise<void> => {
      for (let n = 0; n < TRIES; n += 1) {
        // Each goes first as often as the others.
        const turns = [
          () => time(times.hidden, name("hidden", n)),
          () => time(times.unknown, name("unknown", n)),
          () => time(times.control, name("control", n)),
        ];
        for (let turn = 0; turn < 3; turn += 1) await turns[(turn + n) % 3]?.();
      }
    };
    await round((kind, n) => `db_${kind}_${n}`);
    expect(distance(times)).toBeLessThanOrEqual(noise(times));
    for (const list of Object.values(times)) list.length = 0;
    await round((kind) => `db_${kind}_0`);
    expect(distance(times)).toBeLessThanOrEqual(noise(times));
  }, 60_000);
});

type Times = Record<"hidden" | "unknown" | "control", number[]>;

function distance({ hidden, unknown }: Times): number {
  return Math.abs(median(hidden) - median(unknown));
}

/** Two kinds of name that are both not there show how much the machine alone makes medians differ. */
function noise({ unknown, control }: Times): number {
  return Math.max(Math.abs(median(unknown) - median(control)) * 3, median(unknown) * 0.1);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
