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

export function nameOf({ user }: Member): string {
  return user.name ?? user.email;
}
