import type { ManagedDatabase } from "@svc/contract";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { usePermission } from "../../session/permission.ts";
import { ActRow } from "./act-row.tsx";
import { useChangeDatabase } from "./use-change-database.ts";

export function DescriptionRow({ database }: { database: ManagedDatabase }): ReactNode {
  const permission = usePermission("developer", "Changing the description");
  const [isOpen, setOpen] = useState(false);
  return (
    <ActRow
      title="Description"
      action={
        <Button permission={permission} onClick={() => setOpen(true)}>
          Change the description
        </Button>
      }
    >
      What people and agents choose the source by. An agent reads it before it asks.
      {isOpen && <DescriptionDialog database={database} onClose={() => setOpen(false)} />}
    </ActRow>
  );
}

function DescriptionDialog({ database, onClose }: { database: ManagedDatabase; onClose: () => void }): ReactNode {
  const [description, setDescription] = useState(database.description ?? "");
  const change = useChangeDatabase(database, {
    change: (api, name) => api.updateDatabase(name, { description: description.trim() }),
    done: ({ name }) => `${name} has another description`,
    onDone: onClose,
  });
  return (
    <FormDialog
      title={`Describe ${database.name}`}
      description="Say what is in it and what to ask it for, as you would tell a colleague."
      submitLabel="Save"
      pending={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <TextField label="Description" value={description} onChange={setDescription} maxLength={500} />
    </FormDialog>
  );
}
