import type { ApiToken } from "@svc/contract";
import type { ReactNode } from "react";
import { EndingDialog } from "../../session/ending-dialog.tsx";
import { useOrg } from "../../session/use-org.ts";

export function RevokeTokenDialog({ token, onClose }: { token: ApiToken; onClose: () => void }): ReactNode {
  const { user, api } = useOrg();
  const whose = token.user.id === user.id ? "" : ` It belongs to ${token.user.email}.`;
  return (
    <EndingDialog
      title={`Revoke ${token.name}?`}
      description={`Whatever uses it is refused from now on. This cannot be undone.${whose}`}
      confirmLabel="Revoke"
      end={() => api.revokeApiToken(token.id)}
      list="api-tokens"
      done={`${token.name} is revoked`}
      onClose={onClose}
    />
  );
}
