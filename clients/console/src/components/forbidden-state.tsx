import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { StateMessage } from "./state-message.tsx";

export interface ForbiddenStateProps {
  /** As `usePermission` gives it. */
  permission?: { reason: string };
  /** Instead of a permission. */
  reason?: string;
  /** Who can do it or give the role, such as "Ada Lovelace and Grace Hopper". */
  who?: string;
  action?: ReactNode;
}

export function ForbiddenState({ permission, reason, who, action }: ForbiddenStateProps): ReactNode {
  return (
    <StateMessage icon={Lock} title="Your role does not allow this" action={action}>
      <p>{reason ?? permission?.reason}</p>
      {/* Roles are given by owners, and by nobody else. */}
      <p>{`Ask ${who ?? "an owner of the organization"} for it.`}</p>
    </StateMessage>
  );
}
