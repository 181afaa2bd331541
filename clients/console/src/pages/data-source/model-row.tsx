import type { DataSource, Finding, ModelProbe } from "@svc/contract";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { useConfirmation } from "../../components/use-confirmation.ts";
import { usePermission } from "../../session/permission.ts";
import { useOrg } from "../../session/use-org.ts";
import { ActRow } from "./act-row.tsx";
import { FindingLine } from "./finding-line.tsx";

const LEVELS: Record<ModelProbe["entries"][number]["verdict"], Finding["level"]> = {
  fits: "ok",
  unclear: "warning",
  does_not_fit: "error",
};

/** Not part of the health, which is looked at all the time: this one gives contents of rows away. */
export function ModelRow({ source }: { source: DataSource }): ReactNode {
  const { api } = useOrg();
  const permission = usePermission("admin", "Checking the model");
  const probe = useMutation({
    mutationFn: () => api.probeModel(source.source_id, { send_rows_to_embedding_provider: true }),
  });
  const { ask, dialog } = useConfirmation(probe);
  return (
    <ActRow
      title="Does the model fit the vectors?"
      action={
        <Button permission={permission} onClick={ask}>
          Check the model
        </Button>
      }
      below={
        probe.data && (
          <div role="status">
            <ul aria-label="What the check found" className="divide-y divide-line rounded-md border border-line">
              {probe.data.entries.map(({ target, verdict, message }) => (
                <FindingLine key={target} level={LEVELS[verdict]} target={target} message={message} />
              ))}
            </ul>
          </div>
        )
      }
    >
      Another model with as many dimensions answers every question, and finds nothing that was meant. This turns a few
      rows into vectors again and looks whether they are found.
      <ConfirmDialog
        {...dialog}
        title="Check the model?"
        description="Contents of a few rows are sent to whoever runs the model, as a question is. Nothing is changed, and nothing is kept."
        confirmLabel="Check the model"
      />
    </ActRow>
  );
}
