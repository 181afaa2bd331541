import { DoorClosed } from "lucide-react";
import type { ReactNode } from "react";
import { EmptyState } from "../components/empty-state.tsx";
import { LinkButton } from "../components/link-button.tsx";
import { MessagePage } from "./message-page.tsx";

/** The same for an organization that does not exist: that it does is nobody else's business. */
export function NotAMemberPage({ org, email }: { org: string; email: string }): ReactNode {
  return (
    <MessagePage>
      <EmptyState
        isPage
        icon={DoorClosed}
        title={`You are not in an organization called ${org}`}
        action={<LinkButton to="/">Go to your organization</LinkButton>}
      >
        You are signed in as {email}. Ask an owner of the organization to invite this address, or sign in with another
        account.
      </EmptyState>
    </MessagePage>
  );
}
