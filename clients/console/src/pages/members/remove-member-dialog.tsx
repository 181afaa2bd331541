import type { Member } from "@svc/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { useToast } from "../../components/toast.tsx";
import { leaveFor } from "../../session/load-session.ts";
import { useOrg } from "../../session/use-org.ts";

export function RemoveMemberDialog({ member, onClose }: { member: Member; onClose: () => void }): ReactNode {
  const { org, user, api } = useOrg();
  const queries = useQueryClient();
  const toasts = useToast();
  const isYou = member.user.id === user.id;
  const remove = useMutation({
    mutationFn: () => api.removeMember(org.slug, member.id),
    onSuccess: async () => {
      if (isYou) return leaveFor("/");
      await queries.invalidateQueries({ queryKey: [org.slug, "members"] });
      toasts.show({ tone: "ok", title: `${member.user.email} is no longer in ${org.name}` });
      onClose();
    },
  });
  const ends = "their sessions here, API tokens and connected agents end at once";
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={isYou ? `Leave ${org.name}?` : `Remove ${member.user.email}?`}
      description={
        isYou
          ? "Your API tokens and connected agents here end at once. To come back, an owner has to invite you."
          : `They can no longer see anything of ${org.name}; ${ends}.`
      }
      confirmLabel={isYou ? "Leave" : "Remove"}
      tone="danger"
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    />
  );
}
