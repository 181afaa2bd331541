import type { ManagedDatabase } from "@svc/contract";
import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { Button } from "../../components/button.tsx";
import { describeFailedAct } from "../../components/describe-failed-act.ts";
import { Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { MessageLine } from "../../components/message-line.tsx";
import { Switch } from "../../components/switch.tsx";
import { useToast } from "../../components/toast.tsx";
import { useOrg } from "../../session/use-org.ts";
import { findNameProblem } from "./database-name.ts";
import { useAskAgain } from "../data-source/queries.ts";

export function CreateDatabaseDialog({ onClose }: { onClose: () => void }): ReactNode {
  const formId = useId();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [isSource, setSource] = useState(true);
  const [nameError, setNameError] = useState<string>();
  const create = useCreateDatabase(onClose);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const problem = findNameProblem(name);
    setNameError(problem);
    if (problem || create.isPending) return;
    create.mutate({ name, data_source: isSource, ...(description.trim() !== "" && { description }) });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !create.isPending && onClose()}
      title="Create a database"
      description="PostgreSQL with pgvector, ready within seconds. You fill it with tables and vectors; svc only reads it."
      footer={
        <>
          <Button onClick={onClose} aria-disabled={create.isPending || undefined}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="primary" pending={create.isPending}>
            Create database
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <TextField
          label="Name"
          hint="Starts with a letter; a to z, 0 to 9 and _, at most 40 characters. It stays as it is: agents ask by it."
          error={nameError}
          required
          mono
          autoComplete="off"
          spellCheck={false}
          placeholder="handbook"
          value={name}
          onChange={setName}
        />
        <TextField
          label="Description"
          hint="What is in it, for people and agents who choose a source."
          maxLength={500}
          value={description}
          onChange={setDescription}
        />
        <Switch
          label="Use as a data source"
          hint="Lets it be configured for search. It is shown to nobody until an admin exposes it."
          checked={isSource}
          onChange={setSource}
        />
        {create.error && <MessageLine tone="danger">{describeFailedAct(create.error)}</MessageLine>}
      </form>
    </Dialog>
  );
}

interface WantedDatabase {
  name: string;
  description?: string;
  data_source: boolean;
}

function useCreateDatabase(onCreated: () => void): UseMutationResult<ManagedDatabase, Error, WantedDatabase> {
  const { org, api } = useOrg();
  const askAgain = useAskAgain();
  const navigate = useNavigate();
  const toasts = useToast();
  return useMutation({
    mutationFn: (database: WantedDatabase) => api.createDatabase(database),
    onSuccess: async ({ name, source_id: sourceId }) => {
      await askAgain();
      onCreated();
      const open = () => navigate({ to: "/o/$org/data-sources/$sourceId", params: { org: org.slug, sourceId } });
      toasts.show({
        tone: "ok",
        title: `${name} is being made`,
        description: "It is ready within seconds.",
        action: { label: "Open it", onPress: () => void open() },
      });
    },
  });
}
