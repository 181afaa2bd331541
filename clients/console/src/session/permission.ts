import type { Role } from "@svc/contract";
import { isAtLeast } from "@svc/contract/plain";
import type { Permission } from "../components/permission.ts";
import { useOrg } from "./use-org.ts";

const AT_LEAST: Record<Role, string> = {
  viewer: "any role",
  member: "any role",
  developer: "the role developer, admin or owner",
  admin: "the role admin or owner",
  owner: "the role owner",
};
const YOUR_ROLE: Record<Role, string> = {
  viewer: "a viewer",
  member: "a member",
  developer: "a developer",
  admin: "an admin",
  owner: "an owner",
};

export function permissionOf(role: Role, minimum: Role, act: string): Permission {
  if (isAtLeast(role, minimum)) return { allowed: true, reason: "" };
  return { allowed: false, reason: `${act} needs ${AT_LEAST[minimum]}. You are ${YOUR_ROLE[role]} here.` };
}

/** `act` is what it is about, as in "Exposing a source". The service decides all the same; this says so beforehand. */
export function usePermission(minimum: Role, act: string): Permission {
  return permissionOf(useOrg().org.role, minimum, act);
}
