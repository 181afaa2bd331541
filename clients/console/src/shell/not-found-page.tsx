import { Compass } from "lucide-react";
import type { ReactNode } from "react";
import { EmptyState } from "../components/empty-state.tsx";
import { LinkButton } from "../components/link-button.tsx";
import { MessagePage } from "./message-page.tsx";

export function NotFoundPage(): ReactNode {
  return (
    <MessagePage>
      <NothingHere />
    </MessagePage>
  );
}

/** Inside the frame of an organization, whose navigation leads on. */
export function NothingHere(): ReactNode {
  return (
    <EmptyState
      isPage
      icon={Compass}
      title="There is nothing at this address"
      action={<LinkButton to="/">Go to the start</LinkButton>}
    >
      The link may be old, or have lost a part on its way here.
    </EmptyState>
  );
}
