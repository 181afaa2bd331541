import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

interface FoldProps {
  title: ReactNode;
  children: ReactNode;
  isOpen?: boolean;
}

/** Something that is only there when looked for. */
export function Fold({ title, children, isOpen = false }: FoldProps): ReactNode {
  return (
    <details open={isOpen} className="group/fold min-w-0 overflow-clip rounded-lg border border-line bg-surface">
      <summary className="flex min-h-10 cursor-pointer list-none items-center gap-2 px-4 py-2 -outline-offset-2 hover:bg-hover [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          size={14}
          className="shrink-0 text-faint transition-transform group-open/fold:rotate-90"
        />
        {title}
      </summary>
      <div className="border-t border-line p-4">{children}</div>
    </details>
  );
}
