import type { ManagedDatabase } from "@svc/contract";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { usePermission } from "../../session/permission.ts";
import { ActRow } from "./act-row.tsx";
import { useChangeDatabase } from "./use-change-database.ts";

interface SwitchRowProps {
  database: ManagedDatabase;
  isExposed: boolean;
}

/** Switching on shows nothing to anyone, so only switching off is asked about. */
export function SwitchRow({ database, isExposed }: SwitchRowProps): ReactNode {
  const isOn = database.data_source;
  const permission = usePermission("developer", "Switching a data source on or off");
  const [isOpen, setOpen] = useState(false);
  const change = useChangeDatabase(database, {
    change: (api, name) => api.updateDatabase(name, { data_source: !isOn }),
    done: ({ name, data_source }) => `${name} is switched ${data_source ? "on" : "off"} as a data source`,
    onDone: () => setOpen(false),
  });
  const open = (): void => {
    change.reset();
    setOpen(true);
  };
  return (
    <ActRow
      title={isOn ? "Switch off as a data source" : "Switch on as a data source"}
      action={
        <Button permission={permission} onClick={open}>
          {isOn ? "Switch off" : "Switch on"}
        </Button>
      }
    >
      {isOn
        ? "Nobody can ask it any more. The database, its data and its search configuration stay."
        : "Lets an admin expose it. That alone shows it to nobody."}
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Switch ${database.name} ${isOn ? "off" : "on"} as a data source?`}
        description={describe()}
        confirmLabel={isOn ? "Switch off" : "Switch on"}
        tone={isOn ? "danger" : "default"}
        pending={change.isPending}
        error={change.error}
        onConfirm={() => change.mutate()}
      />
    </ActRow>
  );

  function describe(): string {
    if (!isOn) return "It can be exposed again then. Until an admin does so, nobody can ask it.";
    const now = isExposed
      ? "It is exposed now: questions are refused from the next one on."
      : "It is exposed to nobody now.";
    return `${now} Switched on again, it is exposed to nobody until an admin exposes it.`;
  }
}
