import type { Grant } from "@svc/contract";
import type { ReactNode } from "react";
import { EndingDialog } from "../../session/ending-dialog.tsx";
import { useOrg } from "../../session/use-org.ts";

export function DisconnectDialog({ grant, onClose }: { grant: Grant; onClose: () => void }): ReactNode {
  const { user, api } = useOrg();
  const whose = grant.user.id === user.id ? "you" : grant.user.email;
  return (
    <EndingDialog
      title={`Disconnect ${grant.client.name}?`}
      description={`It stops acting for ${whose} at once. To come back it has to ask again.`}
      confirmLabel="Disconnect"
      end={() => api.revokeGrant(grant.id)}
      list="grants"
      done={`${grant.client.name} is disconnected`}
      onClose={onClose}
    />
  );
}
