import type { Invitation } from "@svc/contract";
import { MailPlus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Chip } from "../../components/chip.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Section } from "../../components/page.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { EndingDialog } from "../../session/ending-dialog.tsx";
import { usePermission } from "../../session/permission.ts";
import { useOrg } from "../../session/use-org.ts";
import { listingOf, usePages } from "../../session/use-pages.tsx";
import { roleLabel } from "./roles.ts";

/** Those that nobody has taken yet. */
export function InvitationList(): ReactNode {
  const { org, api } = useOrg();
  const permission = usePermission("owner", "Seeing invitations");
  const [revoking, setRevoking] = useState<Invitation>();
  const invitations = usePages([org.slug, "invitations"], (cursor) => api.listInvitations(org.slug, { cursor }), {
    enabled: permission.allowed,
  });
  return (
    <Section title="Open invitations">
      <DataTable
        label="Open invitations"
        columns={columnsOf(setRevoking)}
        {...listingOf(invitations)}
        rowKey={({ id }) => id}
        loadingRows={2}
        forbidden={permission}
        empty={
          <EmptyState icon={MailPlus} title="No invitation is open">
            Whom you invite stays here until they sign in.
          </EmptyState>
        }
      />
      {revoking && <RevokeInvitation invitation={revoking} onClose={() => setRevoking(undefined)} />}
    </Section>
  );
}

function columnsOf(revoke: (invitation: Invitation) => void): Column<Invitation>[] {
  return [
    { id: "email", header: "E-mail", cell: ({ email }) => <span className="block truncate font-medium">{email}</span> },
    { id: "role", header: "Role", width: 130, cell: ({ role }) => <Chip>{roleLabel(role)}</Chip> },
    { id: "expires", header: "Ends", width: 150, cell: ({ expires_at }) => <RelativeTime at={expires_at} /> },
    {
      id: "actions",
      header: "Actions",
      hideHeader: true,
      align: "right",
      width: 112,
      cell: (invitation) => (
        <Button
          size="sm"
          aria-label={`Take back the invitation of ${invitation.email}`}
          onClick={() => revoke(invitation)}
        >
          Take back
        </Button>
      ),
    },
  ];
}

function RevokeInvitation({ invitation, onClose }: { invitation: Invitation; onClose: () => void }): ReactNode {
  const { org, api } = useOrg();
  return (
    <EndingDialog
      title={`Take back the invitation of ${invitation.email}?`}
      description="They can no longer join with it. You can invite them again."
      confirmLabel="Take back"
      end={() => api.revokeInvitation(org.slug, invitation.id)}
      list="invitations"
      done={`The invitation of ${invitation.email} is taken back`}
      onClose={onClose}
    />
  );
}
