import type { Member } from "@svc/contract";
import type { ReactNode } from "react";
import { EndingDialog } from "../../session/ending-dialog.tsx";
import { leaveFor } from "../../session/load-session.ts";
import { useOrg } from "../../session/use-org.ts";

export function RemoveMemberDialog({ member, onClose }: { member: Member; onClose: () => void }): ReactNode {
  const { org, user, api } = useOrg();
  const isYou = member.user.id === user.id;
  const ends = "their sessions here, API tokens and connected agents end at once";
  return (
    <EndingDialog
      title={isYou ? `Leave ${org.name}?` : `Remove ${member.user.email}?`}
      description={
        isYou
          ? "Your API tokens and connected agents here end at once. To come back, an owner has to invite you."
          : `They can no longer see anything of ${org.name}; ${ends}.`
      }
      confirmLabel={isYou ? "Leave" : "Remove"}
      end={async () => {
        await api.removeMember(org.slug, member.id);
        if (isYou) await leaveFor("/");
      }}
      list="members"
      done={`${member.user.email} is no longer in ${org.name}`}
      onClose={onClose}
    />
  );
}
