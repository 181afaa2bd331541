import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ConfirmDialog, type ConfirmDialogProps } from "../components/confirm-dialog.tsx";
import { useToast } from "../components/toast.tsx";
import { useOrg } from "./use-org.ts";

interface EndingDialogProps extends Pick<ConfirmDialogProps, "title" | "description" | "confirmLabel"> {
  end: () => Promise<unknown>;
  /** The list that it goes from, by the name of its query. */
  list: string;
  /** What to tell, once it has happened. */
  done: string;
  onClose: () => void;
}

/** Asks before something of a list comes to its end, and renews the list. */
export function EndingDialog({ end, list, done, onClose, ...words }: EndingDialogProps): ReactNode {
  const { org } = useOrg();
  const queries = useQueryClient();
  const toasts = useToast();
  const ending = useMutation({
    mutationFn: end,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [org.slug, list] });
      toasts.show({ tone: "ok", title: done });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      {...words}
      open
      onOpenChange={(open) => !open && onClose()}
      tone="danger"
      pending={ending.isPending}
      error={ending.error}
      onConfirm={() => ending.mutate()}
    />
  );
}
