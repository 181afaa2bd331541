import { describe, expect, it } from "vitest";
import { ID_PREFIXES, idSchema } from "./ids.ts";

const SUFFIX = "01h455vb4pex5vsknk084sn02q";

describe("an identifier on the wire", () => {
  it.each(ID_PREFIXES)("is accepted with its prefix %s and refused with every other", (prefix) => {
    const id = `${prefix}_${SUFFIX}`;
    const accepting = ID_PREFIXES.filter((candidate) => idSchema(candidate).safeParse(id).success);
    expect(accepting).toEqual([prefix]);
  });

  it.each([
    ["no prefix", SUFFIX],
    ["an empty text", ""],
    ["more bits than a UUID has", "org_81h455vb4pex5vsknk084sn02q"],
    ["a letter that base32 leaves out", "org_01h455vb4pex5vsknk084sn02u"],
    ["capitals", "org_01H455VB4PEX5VSKNK084SN02Q"],
    ["a character too few", "org_01h455vb4pex5vsknk084sn02"],
    ["a character too many", "org_01h455vb4pex5vsknk084sn02qq"],
    ["a newline behind it", `org_${SUFFIX}\n`],
    ["a bare UUID", "01890a5d-ac96-774b-bcce-b302099a8057"],
    ["a number", 7],
  ])("is refused with %s", (_what, value) => {
    expect(idSchema("org").safeParse(value).success).toBe(false);
  });

  it("is refused in words that name the prefix expected", () => {
    const result = idSchema("evt").safeParse(`org_${SUFFIX}`);
    expect(result.error?.issues[0]?.message).toBe("must be an id that starts with evt_");
  });

  it("has no two prefixes alike", () => {
    expect(new Set(ID_PREFIXES).size).toBe(ID_PREFIXES.length);
  });
});
