import type { ManagedDatabase } from "@svc/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { describeFailedAct } from "../../components/describe-failed-act.ts";
import { TextField } from "../../components/field.tsx";
import { MessageLine } from "../../components/message-line.tsx";
import { Spinner } from "../../components/spinner.tsx";
import { useOrg } from "../../session/use-org.ts";
import { findNameProblem } from "../data-sources/database-name.ts";

export function DatabaseStep({ database }: { database: ManagedDatabase | undefined }): ReactNode {
  const { org, api } = useOrg();
  const queries = useQueryClient();
  const [name, setName] = useState("handbook");
  const create = useMutation({
    mutationFn: () => api.createDatabase({ name }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [org.slug] }),
  });
  if (database) {
    return (
      <p role="status" className="flex items-center gap-2 text-sm text-muted">
        <Spinner /> {database.name} is being made. This takes seconds.
      </p>
    );
  }
  const problem = findNameProblem(name);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!problem && !create.isPending) create.mutate();
  };
  return (
    <form onSubmit={submit} noValidate className="flex max-w-md flex-col items-start gap-4">
      <TextField
        className="w-full"
        label="Name"
        hint="Agents ask by it. PostgreSQL with pgvector, for this organization alone."
        value={name}
        onChange={setName}
        error={name === "" ? undefined : problem}
        required
        mono
        autoComplete="off"
        spellCheck={false}
      />
      <MessageLine tone="danger">{create.error && describeFailedAct(create.error)}</MessageLine>
      <Button variant="primary" type="submit" pending={create.isPending}>
        Create database
      </Button>
    </form>
  );
}
