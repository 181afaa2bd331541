import { useState } from "react";
import type { ConfirmDialogProps } from "./confirm-dialog.tsx";

/** As much of a mutation as it takes to ask before it. */
interface Act {
  mutate: () => void;
  reset: () => void;
  isPending: boolean;
  isSuccess: boolean;
  error: unknown;
}

interface Confirmation {
  /** Opens the dialog, without what the last attempt left. */
  ask: () => void;
  /** For the dialog: open from the question until the act is done. */
  dialog: Pick<ConfirmDialogProps, "open" | "onOpenChange" | "pending" | "error" | "onConfirm">;
}

/** A question before an act. */
export function useConfirmation(act: Act): Confirmation {
  const [isAsked, setAsked] = useState(false);
  return {
    ask: () => {
      act.reset();
      setAsked(true);
    },
    dialog: {
      open: isAsked && !act.isSuccess,
      onOpenChange: setAsked,
      pending: act.isPending,
      error: act.error,
      onConfirm: () => act.mutate(),
    },
  };
}
