import type { DataSource } from "@svc/contract";
import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { useToast } from "../../components/toast.tsx";
import { useOrg } from "../../session/use-org.ts";
import { EffectWords } from "./effect-words.tsx";
import type { Exposure } from "./exposure-effect.ts";
import { useAskAgain } from "./queries.ts";
import { whoMayAsk } from "./role-words.ts";

interface ExposureDialogProps {
  source: DataSource;
  now: Exposure;
  /** Undefined: nothing is to be decided. */
  wanted: Exposure | undefined;
  onClose: () => void;
}

export function ExposureDialog({ source, now, wanted, onClose }: ExposureDialogProps): ReactNode {
  const save = useSaveExposure(source, onClose);
  const shown = useLast(wanted) ?? now;
  const { title, confirmLabel } = wordsOf(source.name, now, shown);
  const close = (): void => {
    onClose();
    save.reset();
  };
  return (
    <ConfirmDialog
      open={wanted !== undefined}
      onOpenChange={(open) => !open && close()}
      title={title}
      description={<EffectWords now={now} wanted={shown} isConfigured={source.search_configured} />}
      confirmLabel={confirmLabel}
      pending={save.isPending}
      error={save.error}
      onConfirm={() => save.mutate(shown)}
    />
  );
}

function wordsOf(name: string, now: Exposure, wanted: Exposure): { title: string; confirmLabel: string } {
  if (!wanted.exposed && now.exposed) return { title: `Stop exposing ${name}?`, confirmLabel: "Stop exposing" };
  if (wanted.exposed && !now.exposed) return { title: `Expose ${name}?`, confirmLabel: "Expose" };
  return { title: `Change the minimum role of ${name} to ${wanted.min_role}?`, confirmLabel: "Change the role" };
}

/** What was wanted last, so that the words stay while the dialog goes. */
function useLast(value: Exposure | undefined): Exposure | undefined {
  const [last, setLast] = useState(value);
  if (value && value !== last) setLast(value);
  return value ?? last;
}

function useSaveExposure(source: DataSource, onSaved: () => void): UseMutationResult<DataSource, Error, Exposure> {
  const { api } = useOrg();
  const askAgain = useAskAgain();
  const toasts = useToast();
  return useMutation({
    mutationFn: (exposure: Exposure) => api.exposeSource(source.source_id, exposure),
    onSuccess: async ({ name, exposed, min_role }) => {
      await askAgain();
      onSaved();
      const title = exposed
        ? `${name} can be asked by: ${whoMayAsk(min_role).toLowerCase()}`
        : `${name} is exposed to nobody`;
      toasts.show({ tone: "ok", title });
    },
  });
}
