import type { Role } from "@svc/contract";

/** What an owner can give. `member` is what joining by domain gives, and may do what a viewer may. */
export const ROLE_CHOICES: { value: Role; label: string; hint: string }[] = [
  { value: "viewer", label: "Viewer", hint: "Asks sources that are open to viewers" },
  { value: "developer", label: "Developer", hint: "Creates databases and configures search" },
  { value: "admin", label: "Admin", hint: "Exposes sources, sees the audit trail and everyone's agents" },
  { value: "owner", label: "Owner", hint: "Invites, removes, and changes roles" },
];

export function roleLabel(role: Role): string {
  return ROLE_CHOICES.find(({ value }) => value === role)?.label ?? "Member";
}
