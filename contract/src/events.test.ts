import { describe, expect, it } from "vitest";
import { EVENT_TYPES, eventSchema, INGEST_BATCH_LIMIT, ingestRequestSchema } from "./events.ts";

const event = {
  id: "evt_01h455vb4pex5vsknk084sn02q",
  org_id: "org_01h455vb4pex5vsknk084sn02q",
  type: "deploy.failed",
  subject: { kind: "deploy", id: "dep_01h455vb4pex5vsknk084sn02q", app: "shop" },
  data: { code: "E42", attempt: 2, final: true, commit: null },
  occurred_at: "2026-07-01T10:00:00.000Z",
};

describe("an event", () => {
  it.each(EVENT_TYPES)("can be of the type %s", (type) => {
    expect(eventSchema.parse({ ...event, type })).toEqual({ ...event, type });
  });

  it.each([
    ["of an unknown type", { type: "deploy.exploded" }],
    ["with an unknown field", { severity: "high" }],
    ["with an unknown field in its subject", { subject: { ...event.subject, url: "https://example.com" } }],
    ["with nested data, which would grow fat", { data: { details: { stack: "..." } } }],
    ["with a list in its data", { data: { files: ["a"] } }],
    ["with a text in its data beyond 500 characters", { data: { note: "x".repeat(501) } }],
    ["with a name in its data beyond 40 characters", { data: { ["x".repeat(41)]: 1 } }],
    ["with the id of something else", { id: event.org_id }],
    ["without a time zone", { occurred_at: "2026-07-01T10:00:00" }],
  ])("%s is refused", (_what, change) => {
    expect(eventSchema.safeParse({ ...event, ...change }).success).toBe(false);
  });
});

describe("a batch of events", () => {
  it.each([
    [0, false],
    [1, true],
    [INGEST_BATCH_LIMIT, true],
    [INGEST_BATCH_LIMIT + 1, false],
  ])("of %i is accepted: %s", (count, accepted) => {
    const events = Array.from({ length: count }, () => event);
    expect(ingestRequestSchema.safeParse({ events }).success).toBe(accepted);
  });
});
