import type { Activity } from "@svc/contract";
import { describe, expect, it } from "vitest";
import { toCsv } from "./csv.ts";

const ROW: Activity = {
  id: "act_01h455vb4pex5vsknk084sn02q",
  type: "data_sources",
  source_id: "db_notes",
  source: "mcp",
  user: { id: "usr_01h455vb4pex5vsknk084sn02q", email: "ada@example.com" },
  caller_kind: "actor",
  client_id: null,
  at: "2026-11-15T10:00:00.000Z",
  duration_ms: 12.5,
  question_bytes: 20,
  answer_bytes: 340,
  hits: 3,
  question_digest: "d",
  answer_digest: null,
  outcome: "ok",
};

const secondLine = (change: Partial<Activity>): string => toCsv([{ ...ROW, ...change }]).split("\r\n")[1] ?? "";

describe("activity as CSV", () => {
  it("has a line of names and one for each record", () => {
    expect(toCsv([ROW, ROW]).split("\r\n")).toHaveLength(3);
    expect(secondLine({})).toBe(
      "2026-11-15T10:00:00.000Z,data_sources,db_notes,ada@example.com,mcp,ok,3,12.5,20,340,act_01h455vb4pex5vsknk084sn02q",
    );
  });

  it("quotes what would end a cell", () => {
    expect(secondLine({ source_id: 'a,"b"\n' })).toContain('"a,""b""\n"');
  });

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"])("keeps %j from being run as a formula", (source_id) => {
    expect(secondLine({ source_id })).toContain(`,'${source_id}`);
  });

  it("names what asked where nobody did", () => {
    expect(secondLine({ user: null, caller_kind: "workload" })).toContain(",workload,");
  });
});
