import { type FormEvent, type ReactNode, useId } from "react";
import { Button } from "./button.tsx";
import { describeFailedAct } from "./describe-failed-act.ts";
import { Dialog } from "./dialog.tsx";
import { MessageLine } from "./message-line.tsx";

export interface FormDialogProps {
  title: string;
  description: ReactNode;
  submitLabel: string;
  pending: boolean;
  /** Why it was refused; what was typed stays. */
  error: unknown;
  onSubmit: () => void;
  onClose: () => void;
  /** True where the caller says itself what is wrong with a field. */
  noValidate?: boolean;
  /** The fields. */
  children: ReactNode;
}

/** Some fields, a way out and one thing to do with them. Not closed by accident while it is being done. */
export function FormDialog(props: FormDialogProps): ReactNode {
  const { title, description, submitLabel, pending, error, onSubmit, onClose, noValidate, children } = props;
  const formId = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!pending) onSubmit();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !pending && onClose()}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={onClose} aria-disabled={pending || undefined}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={formId} pending={pending}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate={noValidate} className="flex flex-col gap-4">
        {children}
        <MessageLine tone="danger">{error ? describeFailedAct(error) : undefined}</MessageLine>
      </form>
    </Dialog>
  );
}
