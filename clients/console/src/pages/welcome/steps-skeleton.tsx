import type { ReactNode } from "react";
import { Panel } from "../../components/page.tsx";
import { Skeleton } from "../../components/skeleton.tsx";

/** The four steps, before it is known which of them are done. */
export function StepsSkeleton(): ReactNode {
  return (
    <Panel padded={false}>
      <div role="status" className="divide-y divide-line">
        <span className="sr-only">Looking how far you are</span>
        {["w-36", "w-48", "w-40", "w-44"].map((width) => (
          <div key={width} className="flex items-center gap-4 p-5 max-sm:gap-3 max-sm:p-4">
            <Skeleton className="size-6 rounded-full!" />
            <Skeleton className={`h-3.5 ${width}`} />
          </div>
        ))}
      </div>
    </Panel>
  );
}
