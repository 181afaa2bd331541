import type { ManagedDatabase } from "@svc/contract";
import { Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { formatExact } from "../../components/format-time.ts";
import { useConfirmation } from "../../components/use-confirmation.ts";
import { usePermission } from "../../session/permission.ts";
import { ActRow } from "./act-row.tsx";
import { useChangeDatabase } from "./use-change-database.ts";

interface DeleteRowProps {
  database: ManagedDatabase;
  isExposed: boolean;
}

export function DeleteRow({ database, isExposed }: DeleteRowProps): ReactNode {
  const permission = usePermission("admin", "Deleting a database");
  const remove = useChangeDatabase(database, {
    change: (api, name) => api.deleteDatabase(name),
    done: ({ name, delete_after }) =>
      `${name} is closed. It can be restored until ${delete_after ? formatExact(new Date(delete_after)) : "it is gone"}`,
  });
  const { ask, dialog } = useConfirmation(remove);
  return (
    <ActRow
      title="Delete the database"
      action={
        <Button icon={Trash2} permission={permission} onClick={ask}>
          Delete the database
        </Button>
      }
    >
      Closes it at once, for questions and connections. Its data goes for good some days later; this page then says
      when, and restores it until then.
      <ConfirmDialog
        {...dialog}
        title={`Delete ${database.name}?`}
        description={`${isExposed ? "It is exposed now: agents that ask it are refused from the next question on. " : ""}Nobody can connect to it any more. An admin can restore it for some days, then its data is gone for good.`}
        confirmLabel="Delete the database"
        tone="danger"
        typeToConfirm={database.name}
      />
    </ActRow>
  );
}
