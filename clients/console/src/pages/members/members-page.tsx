import { UserPlus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { usePermission } from "../../session/permission.ts";
import { InvitationList } from "./invitation-list.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { MemberList } from "./member-list.tsx";

/** Who is in the organization, and as what. */
export function MembersPage(): ReactNode {
  const [isInviting, setInviting] = useState(false);
  const permission = usePermission("owner", "Inviting people");
  return (
    <Page
      title="Members"
      description="A role says what a person may do, and so what their agents and tokens may."
      actions={
        <Button variant="primary" icon={UserPlus} permission={permission} onClick={() => setInviting(true)}>
          Invite a person
        </Button>
      }
    >
      <MemberList />
      <InvitationList />
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Page>
  );
}
