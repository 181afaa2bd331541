import type { ReactNode } from "react";

interface ActRowProps {
  title: string;
  children: ReactNode;
  action: ReactNode;
  /** Below, over the whole width. */
  below?: ReactNode;
}

/** Something that can be done, what it means, and the button for it. */
export function ActRow({ title, children, action, below }: ActRowProps): ReactNode {
  return (
    <div className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <h3 className="text-sm font-medium">{title}</h3>
          <div className="mt-0.5 max-w-[70ch] text-sm text-pretty text-muted">{children}</div>
        </div>
        <div className="shrink-0">{action}</div>
      </div>
      {below}
    </div>
  );
}
