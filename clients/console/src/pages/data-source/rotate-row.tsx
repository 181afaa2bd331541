import type { ManagedDatabase } from "@svc/contract";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { useConfirmation } from "../../components/use-confirmation.ts";
import { usePermission } from "../../session/permission.ts";
import { ActRow } from "./act-row.tsx";
import { useChangeDatabase } from "./use-change-database.ts";

export function RotateRow({ database }: { database: ManagedDatabase }): ReactNode {
  const permission = usePermission("admin", "Changing the passwords of a database");
  const rotate = useChangeDatabase(database, {
    change: (api, name) => api.rotateDatabase(name),
    done: ({ name }) => `${name} gets new passwords within seconds`,
  });
  const { ask, dialog } = useConfirmation(rotate);
  return (
    <ActRow
      title="Passwords"
      action={
        <Button permission={permission} onClick={ask}>
          Change the passwords
        </Button>
      }
    >
      New ones for whoever connects. The old ones, and connections made with them, end within seconds. Questions go on.
      <ConfirmDialog
        {...dialog}
        title={`Change the passwords of ${database.name}?`}
        description="Whatever connects with the connection string is cut off within seconds, and needs the new one."
        confirmLabel="Change the passwords"
        tone="danger"
      />
    </ActRow>
  );
}
