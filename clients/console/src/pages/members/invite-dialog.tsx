import type { Role } from "@svc/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { TextField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { Select } from "../../components/select.tsx";
import { useToast } from "../../components/toast.tsx";
import { useOrg } from "../../session/use-org.ts";
import { ROLE_CHOICES } from "./roles.ts";

export function InviteDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { org, api } = useOrg();
  const queries = useQueryClient();
  const toasts = useToast();
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
  return (
    <FormDialog
      title="Invite a person"
      description="They join when they next sign in with this address, within 7 days. No mail is sent; tell them yourself."
      submitLabel="Invite"
      pending={invite.isPending}
      error={invite.error}
      onSubmit={() => invite.mutate()}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}
