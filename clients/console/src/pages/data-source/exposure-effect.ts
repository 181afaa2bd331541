import type { Member, MinRole } from "@svc/contract";
import { isAtLeast } from "@svc/contract/plain";

export interface Exposure {
  exposed: boolean;
  min_role: MinRole;
}

export interface ExposureEffect {
  /** Those who can ask afterwards. */
  can: Member[];
  gain: Member[];
  lose: Member[];
}

/** Who could ask before, and who can afterwards. */
export function exposureEffect(members: readonly Member[], before: Exposure, after: Exposure): ExposureEffect {
  const can = members.filter((member) => mayAsk(member, after));
  return {
    can,
    gain: can.filter((member) => !mayAsk(member, before)),
    lose: members.filter((member) => mayAsk(member, before) && !mayAsk(member, after)),
  };
}

function mayAsk({ role }: Member, { exposed, min_role }: Exposure): boolean {
  return exposed && isAtLeast(role, min_role);
}

/** What to call somebody among these: by the address where two have the same name, or one has none. */
export function namesAmong(members: readonly Member[]): (member: Member) => string {
  const once = new Set<string>();
  const more = new Set<string>();
  for (const { user } of members) if (user.name) (once.has(user.name) ? more : once).add(user.name);
  return ({ user }) => (user.name && !more.has(user.name) ? user.name : user.email);
}
