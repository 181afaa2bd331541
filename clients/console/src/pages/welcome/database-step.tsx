import type { ManagedDatabase } from "@svc/contract";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { describeFailedAct } from "../../components/describe-failed-act.ts";
import { TextField } from "../../components/field.tsx";
import { MessageLine } from "../../components/message-line.tsx";
import { Spinner } from "../../components/spinner.tsx";
import { findNameProblem } from "../data-sources/database-name.ts";
import { useStepAct } from "./use-step-act.ts";

export function DatabaseStep({ database }: { database: ManagedDatabase | undefined }): ReactNode {
  const [name, setName] = useState("handbook");
  const create = useStepAct((api) => api.createDatabase({ name }));
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
