import type { Role } from "@svc/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { Button } from "../../components/button.tsx";
import { describeFailedAct } from "../../components/describe-failed-act.ts";
import { Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { MessageLine } from "../../components/message-line.tsx";
import { Select } from "../../components/select.tsx";
import { useToast } from "../../components/toast.tsx";
import { useOrg } from "../../session/use-org.ts";
import { ROLE_CHOICES } from "./roles.ts";

export function InviteDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { org, api } = useOrg();
  const queries = useQueryClient();
  const toasts = useToast();
  const formId = useId();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("developer");
  const invite = useMutation({
    mutationFn: () => api.invite(org.slug, { email: email.trim(), role }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [org.slug, "invitations"] });
      toasts.show({
        tone: "ok",
        title: `${email.trim()} is invited`,
        description: "Tell them to sign in with this address.",
      });
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    invite.mutate();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Invite a person"
      description="They join when they next sign in with this address, within 7 days. No mail is sent; tell them yourself."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} pending={invite.isPending}>
            Invite
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="E-mail"
          type="email"
          value={email}
          onChange={setEmail}
          required
          maxLength={320}
          autoComplete="off"
          hint="The address of their Google or Microsoft account."
        />
        <Select label="Role" value={role} onChange={setRole} options={ROLE_CHOICES} />
        <MessageLine tone="danger">{invite.error && describeFailedAct(invite.error)}</MessageLine>
      </form>
    </Dialog>
  );
}
