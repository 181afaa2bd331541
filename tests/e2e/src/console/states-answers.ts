import {
  type Activity,
  activityHistogramSchema,
  activitySchema,
  answerSchema,
  apiTokenSchema,
  askableSourcesSchema,
  auditEntrySchema,
  databasesSchema,
  dataSourcesSchema,
  grantSchema,
  invitationSchema,
  MAX_ANSWER_BYTES,
  memberSchema,
  pageOf,
  type SessionToken,
  sessionTokenSchema,
  sourceHealthSchema,
} from "@svc/contract";
import { newId } from "@svc/platform/ids";

/** What is answered in place of the service, by path; `*` stands for one part of it. */
export type Answers = Record<string, object | ((real: never) => object)>;

/** Made long ago, or to end long from now, so that pictures of two runs are the same. */
const LONG_AGO = "2020-02-29T12:00:00.000Z";
const FAR_OFF = "2099-12-31T12:00:00.000Z";

/** As long as the contract allows, and without a place at which a line could break. */
const unbroken = (length: number): string => "w".repeat(length);
const words = (length: number): string =>
  "Every word of it is true. ".repeat(Math.ceil(length / 26)).slice(0, length - 1) + ".";
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Rows of a list: more of the same would show nothing more. */
const SOME = 10;
const LONG_NAME = unbroken(40);
export const LONG_SOURCE = `db_${LONG_NAME}`;
const person = { id: newId("usr"), email: `${unbroken(300)}@example.com` };

/** No list has anything in it. */
export const NOTHING: Answers = {
  "/api/wf/data-sources": dataSourcesSchema.parse({ items: [] }),
  "/api/wf/databases": databasesSchema.parse({ items: [] }),
  "/api/wf/slim/data-sources": askableSourcesSchema.parse({ items: [] }),
  "/api/wf/activity": { items: [], next_cursor: null },
  "/api/wf/activity/histogram": histogramOf(() => 0),
  "/api/v1/grants": { items: [], next_cursor: null },
  "/api/v1/api-tokens": { items: [], next_cursor: null },
  "/api/v1/orgs/*/members": { items: [], next_cursor: null },
  "/api/v1/orgs/*/invitations": { items: [], next_cursor: null },
  "/api/v1/orgs/*/audit": { items: [], next_cursor: null },
  "/api/wf/audit": { items: [], next_cursor: null },
};

export const FINDINGS: Answers = {
  "/api/wf/data-sources/*/health": sourceHealthSchema.parse({
    source_id: "db_handbook",
    status: "error",
    checked_at: LONG_AGO,
    pgvector_version: "0.8.0",
    findings: [
      {
        level: "error",
        code: "configuration",
        target: "pages",
        message: "The column body is gone. Save the configuration again.",
      },
      { level: "error", code: "reader_access", target: null, message: words(900) },
      { level: "warning", code: "vector_index", target: unbroken(100), message: `No index serves ${unbroken(200)}.` },
      ...times(9, (index) => ({
        level: "ok",
        code: "statistics",
        target: `entry ${index}`,
        message: "Statistics are fresh.",
      })),
    ],
  }),
};

export const AGENTS: Answers = {
  "/api/v1/grants": pageOf(grantSchema).parse(pageWith(3, (index) => grantNamed(`Agent ${index + 1}`))),
};

/** An answer that was cut at the most that an agent gets. */
export const WHOLE_ANSWER: Answers = { "/api/wf/slim/data-sources/*/query": answerOfBytes(MAX_ANSWER_BYTES) };

/** Everything as long and as much as it can be. */
export const MUCH: Answers = {
  "/api/v1/session/token": (real: SessionToken) => {
    const org = { ...real.orgs[0], name: unbroken(200) };
    const others = times(30, (index) => ({ ...org, id: newId("org"), slug: `other-${index}`, name: words(200) }));
    const user = { ...real.user, ...person, name: unbroken(200) };
    return sessionTokenSchema.parse({ ...real, user, org, orgs: [org, ...others] });
  },
  "/api/wf/data-sources": dataSourcesSchema.parse({
    items: [
      sourceNamed(LONG_NAME, unbroken(500)),
      ...times(SOME, (index) => ({ ...sourceNamed(`${unbroken(37)}_${index}`, words(500)), connection_config: null })),
    ],
  }),
  "/api/wf/databases": databasesSchema.parse({
    items: [
      databaseNamed(LONG_NAME, "ready"),
      databaseNamed(`${unbroken(37)}_1`, "creating"),
      databaseNamed(`${unbroken(37)}_2`, "deleting"),
    ],
  }),
  ...FINDINGS,
  "/api/wf/activity": pageOf(activitySchema).parse(pageWith(100, longActivity)),
  "/api/wf/activity/histogram": histogramOf((index) => (index % 7) * 1_000_000),
  "/api/v1/grants": pageOf(grantSchema).parse(pageWith(SOME, () => grantNamed(unbroken(200), unbroken(300)))),
  "/api/v1/api-tokens": pageOf(apiTokenSchema).parse(
    pageWith(SOME, (index) => ({
      id: newId("tok"),
      name: index % 2 ? words(200) : unbroken(200),
      prefix: "svc_wwwwwwww",
      user: person,
      created_at: LONG_AGO,
      expires_at: index % 3 ? FAR_OFF : LONG_AGO,
      last_used_at: index % 2 ? null : LONG_AGO,
    })),
  ),
  "/api/v1/orgs/*/members": pageOf(memberSchema).parse(
    pageWith(40, (index) => ({
      id: newId("mem"),
      user: { ...person, id: newId("usr"), name: index % 2 ? unbroken(200) : null },
      role: (["owner", "admin", "developer", "member", "viewer"] as const)[index % 5],
      created_at: LONG_AGO,
    })),
  ),
  "/api/v1/orgs/*/invitations": pageOf(invitationSchema).parse(
    pageWith(SOME, () => ({
      id: newId("inv"),
      email: person.email,
      role: "developer",
      invited_by: null,
      created_at: LONG_AGO,
      expires_at: FAR_OFF,
    })),
  ),
  "/api/v1/orgs/*/audit": pageOf(auditEntrySchema).parse(
    pageWith(SOME, () => ({
      id: newId("aud"),
      action: "member.role_changed",
      actor: { kind: "user", id: person.id, name: person.email },
      target: { kind: "member", id: newId("mem"), name: words(320) },
      details: Object.fromEntries(
        times(20, (index) => [`${unbroken(36)}_${index}`, index % 2 ? unbroken(500) : words(500)]),
      ),
      address: "2001:0db8:0000:0000:0000:0000:0000:0001",
      user_agent: unbroken(300),
      at: LONG_AGO,
    })),
  ),
};

function answerOfBytes(bytes: number): object {
  const hit = (body: string): object => ({
    id: unbroken(200),
    title: words(180),
    metadata: {
      _score: 0.123456789,
      _target: unbroken(100),
      [unbroken(300)]: body,
      nothing: null,
      numbers: times(40, Math.sqrt),
    },
  });
  const truncated = "3 of 6 hits are missing and texts were cut, to stay under 16384 bytes.";
  const shortest = JSON.stringify({ count: 3, results: times(3, () => hit("")), truncated });
  const left = Math.floor((bytes - shortest.length) / 3);
  const results = [unbroken(left), words(left), `${unbroken(30)}\n`.repeat(left / 32)].map(hit);
  return answerSchema.parse({ count: 3, results, truncated });
}

function pageWith<T>(count: number, make: (index: number) => T): { items: T[]; next_cursor: string } {
  return { items: times(count, make), next_cursor: "more" };
}

function sourceNamed(name: string, description: string): object {
  const filters = times(50, (index) => [`${unbroken(297)}_${String(index).padStart(2, "0")}`, "string"]);
  return {
    id: newId("ds"),
    source_id: `db_${name}`,
    name,
    description,
    database: name,
    enabled: true,
    exposed: true,
    min_role: "viewer",
    search_configured: true,
    connection_config: {
      embedding_configs: times(20, (index) => ({
        label: `${unbroken(97)}_${String(index).padStart(2, "0")}`,
        table: unbroken(300),
        columns: [unbroken(300)],
        model: unbroken(200),
        dimensions: 16_000,
        content_columns: times(13, (column) => `${unbroken(290)}_${column}`).join(","),
      })),
    },
    filter_schema: Object.fromEntries(filters),
    created_at: LONG_AGO,
    updated_at: LONG_AGO,
  };
}

export function databaseNamed(name: string, status: "ready" | "creating" | "deleting"): object {
  const delete_after = status === "deleting" ? FAR_OFF : null;
  const made = { created_at: LONG_AGO, updated_at: LONG_AGO };
  return { name, source_id: `db_${name}`, description: null, data_source: true, status, delete_after, ...made };
}

function grantNamed(name: string, redirect_host = "agent.example"): object {
  const client = { id: "https://agent.example/client", name, redirect_host };
  const scopes = ["data:read", "notifications:read", "notifications:write", "apps:read"];
  const times = { created_at: LONG_AGO, last_used_at: LONG_AGO, expires_at: FAR_OFF };
  return { id: newId("grt"), client, user: person, scopes, ...times };
}

function longActivity(index: number): Activity {
  return {
    id: newId("act"),
    type: "data_sources",
    source_id: LONG_SOURCE,
    source: (["mcp", "cli", "api"] as const)[index % 3] ?? "mcp",
    user: person,
    caller_kind: "actor",
    client_id: `https://${unbroken(1_900)}`,
    at: LONG_AGO,
    duration_ms: 59_999,
    question_bytes: 8_000,
    answer_bytes: 16_384,
    hits: 20,
    question_digest: unbroken(64),
    answer_digest: unbroken(64),
    outcome: index % 2 ? "ok" : "SEARCH_CONFIGURATION_STALE",
  };
}

function histogramOf(count: (index: number) => number): object {
  const start = Date.parse(LONG_AGO);
  return activityHistogramSchema.parse({
    from: LONG_AGO,
    to: new Date(start + 96 * 900_000).toISOString(),
    bucket_seconds: 900,
    buckets: times(96, (index) => ({
      at: new Date(start + index * 900_000).toISOString(),
      ok: count(index),
      failed: count(index + 3),
    })),
  });
}
