import type { ManagedDatabase } from "@svc/contract";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { useConfirmation } from "../../components/use-confirmation.ts";
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
  const change = useChangeDatabase(database, {
    change: (api, name) => api.updateDatabase(name, { data_source: !isOn }),
    done: ({ name, data_source }) => `${name} is switched ${data_source ? "on" : "off"} as a data source`,
  });
  const { ask, dialog } = useConfirmation(change);
  return (
    <ActRow
      title={isOn ? "Switch off as a data source" : "Switch on as a data source"}
      action={
        <Button permission={permission} onClick={ask}>
          {isOn ? "Switch off" : "Switch on"}
        </Button>
      }
    >
      {isOn
        ? "Nobody can ask it any more. The database, its data and its search configuration stay."
        : "Lets an admin expose it. That alone shows it to nobody."}
      <ConfirmDialog
        {...dialog}
        title={`Switch ${database.name} ${isOn ? "off" : "on"} as a data source?`}
        description={describe()}
        confirmLabel={isOn ? "Switch off" : "Switch on"}
        tone={isOn ? "danger" : "default"}
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
