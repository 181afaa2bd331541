import { CircleDashed, CircleOff, Eye, EyeOff, LoaderCircle, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { Chip } from "../../components/chip.tsx";
import { whoMayAsk } from "./role-words.ts";
import type { SourceView } from "./source-view.ts";

/** The state of a source beside its name. */
export function SourceChips({ view }: { view: SourceView }): ReactNode {
  const { managed, minRole } = view;
  const exposed = (
    <Chip tone="info" icon={Eye}>
      Exposed: {whoMayAsk(minRole).toLowerCase()}
    </Chip>
  );
  if (!managed) return exposed;
  const { source, database } = managed;
  if (database?.status === "creating") return <Chip icon={LoaderCircle}>Being made</Chip>;
  if (database?.status === "deleting") {
    return (
      <Chip tone="danger" icon={Trash2}>
        Being deleted
      </Chip>
    );
  }
  if (!source.enabled) return <Chip icon={CircleOff}>Switched off</Chip>;
  return (
    <>
      {!source.search_configured && (
        <Chip tone="warn" icon={CircleDashed}>
          Not configured
        </Chip>
      )}
      {source.exposed ? exposed : <Chip icon={EyeOff}>Not exposed</Chip>}
    </>
  );
}
