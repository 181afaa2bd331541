import { type FormEvent, type ReactNode, useEffect, useId, useState } from "react";
import { Button } from "./button.tsx";
import { describeFailedAct } from "./describe-failed-act.ts";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./field.tsx";
import { MessageLine } from "./message-line.tsx";

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** A question that names the thing. */
  title: string;
  description: ReactNode;
  /** Repeats the verb of the question. */
  confirmLabel: string;
  tone?: "danger" | "default";
  /** What has to be typed first, for what cannot be taken back. */
  typeToConfirm?: string | undefined;
  pending?: boolean | undefined;
  error?: unknown;
  onConfirm: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const {
    open,
    onOpenChange,
    title,
    description,
    confirmLabel,
    tone = "default",
    typeToConfirm,
    pending,
    error,
    onConfirm,
  } = props;
  const formId = useId();
  const [typed, setTyped] = useState("");
  useEffect(() => setTyped(""), [open]);
  const ready = typeToConfirm === undefined || typed.trim() === typeToConfirm;
  const change = (next: boolean): void => {
    // What has been started is not stopped by closing, so the answer has to be seen.
    if (pending) return;
    onOpenChange(next);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (ready && !pending) onConfirm();
  };
  const failed = error !== undefined && error !== null;
  const hasBody = typeToConfirm !== undefined || failed;
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      role="alertdialog"
      title={title}
      description={description}
      footer={
        <form id={formId} onSubmit={submit} className="contents">
          <Button onClick={() => change(false)} disabled={pending}>
            Cancel
          </Button>
          <Button type="submit" variant={tone === "danger" ? "danger" : "primary"} pending={pending} disabled={!ready}>
            {confirmLabel}
          </Button>
        </form>
      }
    >
      {hasBody && (
        <div className="flex flex-col gap-4">
          {typeToConfirm !== undefined && (
            <TextField
              label={`Type "${typeToConfirm}" to confirm`}
              value={typed}
              onChange={setTyped}
              form={formId}
              autoComplete="off"
              spellCheck={false}
              mono
            />
          )}
          {failed && <MessageLine tone="danger">{describeFailedAct(error)}</MessageLine>}
        </div>
      )}
    </Dialog>
  );
}
