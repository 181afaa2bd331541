import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

export interface StateMessageProps {
  icon: LucideIcon;
  tone?: "neutral" | "danger";
  title: string;
  /** Where it is all that a page has to say, its title is the page's. */
  isPage?: boolean;
  children?: ReactNode;
  /** Below the words and never read out unasked, such as what changes each second. */
  note?: ReactNode;
  action?: ReactNode;
  /** Read out at once by screen readers. */
  isAlert?: boolean;
}

/** What stands where a list or a page would: nothing yet, an error, not allowed. */
export function StateMessage(props: StateMessageProps): ReactNode {
  const { icon: Icon, tone = "neutral", title, isPage = false, children, note, action, isAlert = false } = props;
  const Title = isPage ? "h1" : "p";
  const mark = tone === "danger" ? "bg-danger-soft text-danger" : "bg-sunken text-muted";
  return (
    <div className="flex flex-col items-center px-6 py-10 text-center max-sm:px-4 max-sm:py-8">
      <span className={`mb-3 grid size-9 place-items-center rounded-lg ${mark}`}>
        <Icon aria-hidden className="size-4.5" />
      </span>
      <div role={isAlert ? "alert" : undefined} className="w-full max-w-[60ch] text-pretty wrap-anywhere">
        <Title className="text-base font-medium text-balance">{title}</Title>
        {children && <div className="mt-1 space-y-1 text-sm text-muted">{children}</div>}
      </div>
      {note && <div className="mt-2 space-y-1 text-sm text-muted">{note}</div>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
