export const ROLES = ["viewer", "member", "developer", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

/** `member` is what joining by e-mail domain gives; it may do what a viewer may. */
const RANK: Record<Role, number> = { viewer: 0, member: 0, developer: 1, admin: 2, owner: 3 };

export function isAtLeast(role: Role, minimum: Role): boolean {
  return RANK[role] >= RANK[minimum];
}
