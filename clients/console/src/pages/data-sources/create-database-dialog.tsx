import type { ManagedDatabase } from "@svc/contract";
import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { TextField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { Switch } from "../../components/switch.tsx";
import { useToast } from "../../components/toast.tsx";
import { useOrg } from "../../session/use-org.ts";
import { findNameProblem } from "./database-name.ts";
import { useAskAgain } from "../data-source/queries.ts";

export function CreateDatabaseDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [isSource, setSource] = useState(true);
  const [nameError, setNameError] = useState<string>();
  const create = useCreateDatabase(onClose);
  const submit = (): void => {
    const problem = findNameProblem(name);
    setNameError(problem);
    if (problem) return;
    create.mutate({ name, data_source: isSource, ...(description.trim() !== "" && { description }) });
  };
  return (
    <FormDialog
      title="Create a database"
      description="PostgreSQL with pgvector, ready within seconds. You fill it with tables and vectors; svc only reads it."
      submitLabel="Create database"
      pending={create.isPending}
      error={create.error}
      onSubmit={submit}
      onClose={onClose}
      noValidate
    >
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
    </FormDialog>
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
