import type { ApiToken } from "@svc/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { useToast } from "../../components/toast.tsx";
import { useOrg } from "../../session/use-org.ts";

export function RevokeTokenDialog({ token, onClose }: { token: ApiToken; onClose: () => void }): ReactNode {
  const { org, user, api } = useOrg();
  const queries = useQueryClient();
  const toasts = useToast();
  const revoke = useMutation({
    mutationFn: () => api.revokeApiToken(token.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [org.slug, "api-tokens"] });
      toasts.show({ tone: "ok", title: `${token.name} is revoked` });
      onClose();
    },
  });
  const whose = token.user.id === user.id ? "" : ` It belongs to ${token.user.email}.`;
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Revoke ${token.name}?`}
      description={`Whatever uses it is refused from now on. This cannot be undone.${whose}`}
      confirmLabel="Revoke"
      tone="danger"
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
    />
  );
}
