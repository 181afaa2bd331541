import type { MinRole } from "@svc/contract";

const FROM: Record<MinRole, string> = {
  viewer: "Everyone",
  developer: "Developers and up",
  admin: "Admins and owners",
  owner: "Owners",
};

/** Who may ask a source with this minimum role. */
export function whoMayAsk(minimum: MinRole): string {
  return FROM[minimum];
}

export const MIN_ROLE_OPTIONS: { value: MinRole; label: string; hint: string }[] = [
  { value: "viewer", label: "Viewer", hint: "Everyone in the organization" },
  { value: "developer", label: "Developer", hint: "Developers, admins and owners" },
  { value: "admin", label: "Admin", hint: "Admins and owners" },
  { value: "owner", label: "Owner", hint: "Owners alone" },
];
