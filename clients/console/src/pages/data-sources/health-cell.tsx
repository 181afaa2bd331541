import { CircleDashed, CircleOff, CircleQuestionMark, Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Chip } from "../../components/chip.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { Spinner } from "../../components/spinner.tsx";
import { summarizeHealth } from "../data-source/health-summary.ts";
import { useHealth } from "../data-source/queries.ts";
import type { SourceRow } from "./source-row.ts";

/** How a source is, or why that is no question yet. */
export function HealthCell({ row }: { row: SourceRow }): ReactNode {
  if (row.state === "creating") {
    return (
      <span className="inline-flex items-center gap-2 text-muted">
        <Spinner /> Being made
      </span>
    );
  }
  if (row.state === "deleting") {
    return (
      <Chip tone="danger" icon={Trash2}>
        Being deleted
      </Chip>
    );
  }
  if (row.state === "off") return <Chip icon={CircleOff}>Switched off</Chip>;
  if (row.source?.search_configured === false) return <Chip icon={CircleDashed}>Not configured</Chip>;
  return <CheckedHealth sourceId={row.sourceId} />;
}

/** Asked for once it comes into view, and never waited for by anything else. */
function CheckedHealth({ sourceId }: { sourceId: string }): ReactNode {
  const place = useRef<HTMLSpanElement>(null);
  const wasSeen = useWasSeen(place);
  const { data, isError } = useHealth(sourceId, { enabled: wasSeen });
  return (
    <span ref={place} className="inline-flex min-h-5 max-w-full items-center">
      {content()}
    </span>
  );

  function content(): ReactNode {
    if (data) {
      const { tone, icon, words } = summarizeHealth(data);
      return (
        <Chip tone={tone} icon={icon}>
          {words}
        </Chip>
      );
    }
    if (isError) return <Chip icon={CircleQuestionMark}>Not checked</Chip>;
    return (
      <>
        <span className="sr-only">Checking</span>
        <Skeleton className="h-5 w-20" />
      </>
    );
  }
}

function useWasSeen(place: { current: Element | null }): boolean {
  const [wasSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!place.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
      },
      { rootMargin: "200px" },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [place]);
  return wasSeen;
}
