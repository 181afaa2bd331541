import type { ManagedDatabase } from "@svc/contract";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { describeFailedAct } from "../../components/describe-failed-act.ts";
import { MessageLine } from "../../components/message-line.tsx";
import { SegmentedControl } from "../../components/segmented-control.tsx";
import { OwnTable } from "./own-table.tsx";
import { useStepAct } from "./use-step-act.ts";

const WAYS = [
  { value: "sample", label: "A sample handbook" },
  { value: "own", label: "My own table" },
] as const;

export function FillStep({ database }: { database: ManagedDatabase }): ReactNode {
  const [way, setWay] = useState<"sample" | "own">("sample");
  return (
    <div className="flex flex-col items-start gap-4">
      <SegmentedControl label="What to put in" value={way} onChange={setWay} tabs={WAYS} />
      {way === "sample" ? <Sample database={database} /> : <OwnTable database={database} />}
    </div>
  );
}

function Sample({ database }: { database: ManagedDatabase }): ReactNode {
  const load = useStepAct((api) => api.loadSample(database.name));
  return (
    <>
      <p className="max-w-[70ch] text-sm text-muted">
        Makes the table sample_notes in {database.name}: some pages of a small company's handbook, with their vectors,
        and the search configuration for them. Drop the table when you have your own.
      </p>
      <MessageLine tone="danger">{load.error && describeFailedAct(load.error)}</MessageLine>
      <Button variant="primary" pending={load.isPending} onClick={() => load.mutate()}>
        Load the sample
      </Button>
    </>
  );
}
