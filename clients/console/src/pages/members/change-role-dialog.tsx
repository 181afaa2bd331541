import type { Member, Role } from "@svc/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { describeFailedAct } from "../../components/describe-failed-act.ts";
import { Dialog } from "../../components/dialog.tsx";
import { MessageLine } from "../../components/message-line.tsx";
import { Select } from "../../components/select.tsx";
import { useToast } from "../../components/toast.tsx";
import { sessionQuery } from "../../session/load-session.ts";
import { useOrg } from "../../session/use-org.ts";
import { ROLE_CHOICES, roleLabel } from "./roles.ts";

export function ChangeRoleDialog({ member, onClose }: { member: Member; onClose: () => void }): ReactNode {
  const { org, user, api } = useOrg();
  const queries = useQueryClient();
  const toasts = useToast();
  const [role, setRole] = useState<Role>(member.role);
  const who = member.user.name ?? member.user.email;
  const change = useMutation({
    mutationFn: () => api.changeMember(org.slug, member.id, { role }),
    onSuccess: async () => {
      // One's own role decides what the pages offer.
      if (member.user.id === user.id) await queries.refetchQueries(sessionQuery);
      await queries.invalidateQueries({ queryKey: [org.slug, "members"] });
      toasts.show({ tone: "ok", title: `${who} is now ${roleLabel(role).toLowerCase()}` });
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Change the role of ${who}`}
      description="It counts at once, also for the agents and tokens of this person."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            pending={change.isPending}
            disabled={role === member.role}
            onClick={() => change.mutate()}
          >
            Change role
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Select label="Role" value={role} onChange={setRole} options={choicesFor(member.role)} />
        <MessageLine tone="danger">{change.error && describeFailedAct(change.error)}</MessageLine>
      </div>
    </Dialog>
  );
}

/** Who joined by domain is a member, which nobody can be made. */
function choicesFor(current: Role): typeof ROLE_CHOICES {
  if (current !== "member") return ROLE_CHOICES;
  return [
    { value: "member", label: "Member", hint: "Joined by e-mail domain; may do what a viewer may" },
    ...ROLE_CHOICES,
  ];
}
