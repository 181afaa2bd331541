import { type Id, ID_PREFIXES, idSchema } from "@svc/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { waitUntil } from "../testing/index.ts";
import { idFromUuid, newId, timeOf, uuidOf } from "./index.ts";

describe("identifiers", () => {
  it.each(ID_PREFIXES)("with the prefix %s have the form that the contract promises", (prefix) => {
    const id = newId(prefix);
    expect(idSchema(prefix).parse(id)).toBe(id);
  });

  it("become the same identifier again after a stay in the database as a UUID", () => {
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), (uuid) => {
        const id = idFromUuid("evt", uuid);
        expect(idSchema("evt").safeParse(id).success).toBe(true);
        expect(uuidOf(id)).toBe(uuid);
      }),
    );
    const id = newId("org");
    expect(idFromUuid("org", uuidOf(id))).toBe(id);
  });

  it("are written as the TypeID specification writes them", () => {
    expect(uuidOf("org_01h455vb4pex5vsknk084sn02q")).toBe("01890a5d-ac96-774b-bcce-b302099a8057");
  });

  it("are refused by the contract under the prefix of something else", () => {
    const asOrg = newId("evt").replace("evt_", "org_");
    expect(idSchema("org").safeParse(newId("evt")).success).toBe(false);
    expect(idSchema("org").safeParse(asOrg).success).toBe(true);
  });

  it("cannot be turned into a UUID when they are none of ours", () => {
    expect(() => uuidOf("org_01h455vb4pex5vsknk084sn02u")).toThrow();
    expect(() => uuidOf("org_short")).toThrow();
    expect(() => uuidOf("org_zzzzzzzzzzzzzzzzzzzzzzzzzz")).toThrow();
  });

  it("are ordered by the time they were made, as text and as UUID", async () => {
    const ids: Id<"evt">[] = [];
    for (let made = 0; made < 5; made += 1) {
      const startedAt = Date.now();
      ids.push(newId("evt"));
      await waitUntil(() => Date.now() > startedAt);
    }
    expect(ids.toSorted()).toEqual(ids);
    const uuids = ids.map(uuidOf);
    expect(uuids.toSorted()).toEqual(uuids);
  });

  it("tell when they were made", () => {
    const earliest = Date.now();
    const time = timeOf(newId("run")).getTime();
    expect(time).toBeGreaterThanOrEqual(earliest);
    expect(time).toBeLessThanOrEqual(Date.now());
    expect(timeOf("evt_01h455vb4pex5vsknk084sn02q").toISOString()).toBe("2023-06-30T03:34:18.518Z");
  });

  it("do not repeat", () => {
    const ids = Array.from({ length: 10_000 }, () => newId("tok"));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
