import type { ManagedDatabase } from "@svc/contract";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { usePermission } from "../../session/permission.ts";
import { ActRow } from "./act-row.tsx";
import { useChangeDatabase } from "./use-change-database.ts";

export function RotateRow({ database }: { database: ManagedDatabase }): ReactNode {
  const permission = usePermission("admin", "Changing the passwords of a database");
  const [isOpen, setOpen] = useState(false);
  const rotate = useChangeDatabase(database, {
    change: (api, name) => api.rotateDatabase(name),
    done: ({ name }) => `${name} gets new passwords within seconds`,
    onDone: () => setOpen(false),
  });
  const open = (): void => {
    rotate.reset();
    setOpen(true);
  };
  return (
    <ActRow
      title="Passwords"
      action={
        <Button permission={permission} onClick={open}>
          Change the passwords
        </Button>
      }
    >
      New ones for whoever connects. The old ones, and connections made with them, end within seconds. Questions go on.
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Change the passwords of ${database.name}?`}
        description="Whatever connects with the connection string is cut off within seconds, and needs the new one."
        confirmLabel="Change the passwords"
        tone="danger"
        pending={rotate.isPending}
        error={rotate.error}
        onConfirm={() => rotate.mutate()}
      />
    </ActRow>
  );
}
