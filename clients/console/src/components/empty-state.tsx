import type { ReactNode } from "react";
import type { LucideIcon } from "lucide-react";
import { StateMessage } from "./state-message.tsx";

export interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  /** Its title is that of the page. */
  isPage?: boolean;
  /** What would be here. */
  children?: ReactNode;
  /** The first step towards it. */
  action?: ReactNode;
}

export function EmptyState({ icon, title, isPage, children, action }: EmptyStateProps): ReactNode {
  return (
    <StateMessage icon={icon} title={title} isPage={isPage} action={action}>
      {children}
    </StateMessage>
  );
}
