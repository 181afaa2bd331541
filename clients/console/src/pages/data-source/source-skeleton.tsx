import type { ReactNode } from "react";
import { Panel } from "../../components/page.tsx";
import { Skeleton } from "../../components/skeleton.tsx";

/** Tabs and the first panels, as high as they are going to be. */
export function SourceSkeleton(): ReactNode {
  return (
    <div role="status" className="flex flex-col gap-8">
      <span className="sr-only">Loading the data source</span>
      <div className="flex h-9 items-center gap-4 border-b border-line">
        <Skeleton className="h-3 w-16" />
        <Skeleton className="h-3 w-24" />
        <Skeleton className="h-3 w-16" />
      </div>
      {[1, 2].map((section) => (
        <div key={section} className="flex flex-col gap-3">
          <Skeleton className="h-5 w-36" />
          <Panel>
            <div className="flex h-24 flex-col justify-between">
              <Skeleton className="h-4 w-2/3" />
              <Skeleton className="h-4 w-1/2" />
              <Skeleton className="h-4 w-3/5" />
            </div>
          </Panel>
        </div>
      ))}
    </div>
  );
}
