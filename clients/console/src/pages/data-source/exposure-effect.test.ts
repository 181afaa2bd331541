import type { Member, Role } from "@svc/contract";
import { expect, it } from "vitest";
import { exposureEffect, namesAmong } from "./exposure-effect.ts";

const MEMBERS = (["owner", "admin", "developer", "viewer", "member"] as const).map(memberWith);
const NOBODY = { exposed: false, min_role: "viewer" } as const;
const EVERYONE = { exposed: true, min_role: "viewer" } as const;
const ADMINS = { exposed: true, min_role: "admin" } as const;

it("counts everyone in, members that joined by domain as well, where a viewer may ask", () => {
  const { can, gain, lose } = exposureEffect(MEMBERS, NOBODY, EVERYONE);
  expect([can.length, gain.length, lose.length]).toEqual([5, 5, 0]);
});

it("names who loses it when the role is raised", () => {
  const { can, gain, lose } = exposureEffect(MEMBERS, EVERYONE, ADMINS);
  expect(can.map(({ role }) => role)).toEqual(["owner", "admin"]);
  expect(gain).toEqual([]);
  expect(lose.map(({ role }) => role)).toEqual(["developer", "viewer", "member"]);
});

it("leaves nobody when it is no longer exposed", () => {
  const { can, lose } = exposureEffect(MEMBERS, ADMINS, { ...ADMINS, exposed: false });
  expect([can.length, lose.length]).toEqual([0, 2]);
});

it("calls people by their names, and those who share one or have none by their addresses", () => {
  const called = (name: string | null, at: number): Member => {
    const member = memberWith("viewer");
    return { ...member, user: { ...member.user, name, email: `${at}@example.com` } };
  };
  const members = ["Ada", "Grace", "Ada", null, ""].map(called);
  expect(members.map(namesAmong(members))).toEqual([
    "0@example.com",
    "Grace",
    "2@example.com",
    "3@example.com",
    "4@example.com",
  ]);
});

function memberWith(role: Role): Member {
  const user = { id: "usr_" as const, email: `${role}@example.com`, name: null };
  return { id: "mem_", user, role, created_at: "2026-01-01T00:00:00.000Z" };
}
