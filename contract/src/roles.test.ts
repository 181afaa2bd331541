import { describe, expect, it } from "vitest";
import { isAtLeast, type Role, ROLES } from "./plain/roles.ts";
import { roleSchema } from "./roles.ts";

/** Roles from the weakest to the strongest; those in one row may do the same. */
const RANKS: Role[][] = [["viewer", "member"], ["developer"], ["admin"], ["owner"]];
const rankOf = (role: Role): number => RANKS.findIndex((row) => row.includes(role));

describe("roles", () => {
  it.each(ROLES.flatMap((role) => ROLES.map((minimum) => [role, minimum] as const)))(
    "%s may do what needs %s exactly if it ranks as high",
    (role, minimum) => {
      expect(isAtLeast(role, minimum)).toBe(rankOf(role) >= rankOf(minimum));
    },
  );

  it("treat a member who joined by e-mail domain exactly as a viewer", () => {
    for (const role of ROLES) {
      expect(isAtLeast("member", role)).toBe(isAtLeast("viewer", role));
      expect(isAtLeast(role, "member")).toBe(isAtLeast(role, "viewer"));
    }
  });

  it("are a closed list", () => {
    expect(roleSchema.safeParse("root").success).toBe(false);
    expect(roleSchema.options.toSorted()).toEqual(RANKS.flat().toSorted());
  });
});
