import type { Grant } from "@svc/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { useToast } from "../../components/toast.tsx";
import { useOrg } from "../../session/use-org.ts";

export function DisconnectDialog({ grant, onClose }: { grant: Grant; onClose: () => void }): ReactNode {
  const { org, user, api } = useOrg();
  const queries = useQueryClient();
  const toasts = useToast();
  const disconnect = useMutation({
    mutationFn: () => api.revokeGrant(grant.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [org.slug, "grants"] });
      toasts.show({ tone: "ok", title: `${grant.client.name} is disconnected` });
      onClose();
    },
  });
  const whose = grant.user.id === user.id ? "you" : grant.user.email;
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Disconnect ${grant.client.name}?`}
      description={`It stops acting for ${whose} at once. To come back it has to ask again.`}
      confirmLabel="Disconnect"
      tone="danger"
      pending={disconnect.isPending}
      error={disconnect.error}
      onConfirm={() => disconnect.mutate()}
    />
  );
}
