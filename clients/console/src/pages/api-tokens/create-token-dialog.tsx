import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { Button } from "../../components/button.tsx";
import { describeFailedAct } from "../../components/describe-failed-act.ts";
import { Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { MessageLine } from "../../components/message-line.tsx";
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
  const formId = useId();
  const [name, setName] = useState("");
  const [lifetime, setLifetime] = useState<Lifetime>("90");
  const create = useMutation({
    mutationFn: () => api.createApiToken({ name, ...endOf(lifetime) }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [org.slug, "api-tokens"] }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate();
  };
  if (create.data) {
    return (
      <Dialog open onOpenChange={() => undefined} closable={false} title={`${create.data.api_token.name} is ready`}>
        <SecretOnce secret={create.data.token} label="API token" onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Create token"
      description="It acts as you, with your role."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} pending={create.isPending}>
            Create token
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4">
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
        <MessageLine tone="danger">{create.error && describeFailedAct(create.error)}</MessageLine>
      </form>
    </Dialog>
  );
}

function endOf(lifetime: Lifetime): { expires_at?: string } {
  if (lifetime === "never") return {};
  return { expires_at: new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString() };
}
