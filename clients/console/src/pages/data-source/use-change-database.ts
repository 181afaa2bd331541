import type { ManagedDatabase } from "@svc/contract";
import type { ApiClient } from "@svc/http-client";
import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { useToast } from "../../components/toast.tsx";
import { useOrg } from "../../session/use-org.ts";
import { useAskAgain } from "./queries.ts";

interface DatabaseChange {
  change: (api: ApiClient, name: string) => Promise<ManagedDatabase>;
  /** What to tell, once it has happened. */
  done: (changed: ManagedDatabase) => string;
  onDone?: () => void;
}

export function useChangeDatabase(
  database: Pick<ManagedDatabase, "name" | "source_id">,
  { change, done, onDone }: DatabaseChange,
): UseMutationResult<ManagedDatabase, Error, void> {
  const { api } = useOrg();
  const askAgain = useAskAgain();
  const toasts = useToast();
  return useMutation({
    mutationFn: () => change(api, database.name),
    onSuccess: async (changed) => {
      await askAgain({ sourceId: database.source_id });
      onDone?.();
      toasts.show({ tone: "ok", title: done(changed) });
    },
  });
}
