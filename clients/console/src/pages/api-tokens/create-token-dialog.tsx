import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { SecretOnce } from "../../components/secret-once.tsx";
import { Select } from "../../components/select.tsx";
import { useOrg } from "../../session/use-org.ts";

const DAY_MS = 24 * 60 * 60_000;
const LIFETIMES = { "30": "30 days", "90": "90 days", "365": "A year", never: "No end" } as const;
type Lifetime = keyof typeof LIFETIMES;

/** Asks for a name, then shows the token, once. */
export function CreateTokenDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { org, api } = useOrg();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [lifetime, setLifetime] = useState<Lifetime>("90");
  const create = useMutation({
    mutationFn: () => api.createApiToken({ name, ...endOf(lifetime) }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [org.slug, "api-tokens"] }),
  });
  if (create.data) {
    return (
      <Dialog open onOpenChange={() => undefined} closable={false} title={`${create.data.api_token.name} is ready`}>
        <SecretOnce secret={create.data.token} label="API token" onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title="Create token"
      description="It acts as you, with your role."
      submitLabel="Create token"
      pending={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="What it is for, such as nightly report."
        value={name}
        onChange={setName}
        required
        maxLength={200}
        autoComplete="off"
      />
      <Select
        label="Ends after"
        value={lifetime}
        onChange={setLifetime}
        options={Object.entries(LIFETIMES).map(([value, label]) => ({ value: value as Lifetime, label }))}
      />
    </FormDialog>
  );
}

function endOf(lifetime: Lifetime): { expires_at?: string } {
  if (lifetime === "never") return {};
  return { expires_at: new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString() };
}
