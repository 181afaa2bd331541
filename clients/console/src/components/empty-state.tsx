import type { ReactNode } from "react";
import type { LucideIcon } from "lucide-react";
import { StateMessage } from "./state-message.tsx";

export interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  /** What would be here. */
  children?: ReactNode;
  /** The first step towards it. */
  action?: ReactNode;
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps): ReactNode {
  return (
    <StateMessage icon={icon} title={title} action={action}>
      {children}
    </StateMessage>
  );
}
