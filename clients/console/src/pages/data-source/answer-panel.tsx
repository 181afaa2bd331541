import { MAX_ANSWER_BYTES } from "@svc/contract/plain";
import { type ReactNode, useState } from "react";
import { Chip } from "../../components/chip.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { formatCount } from "../../components/format-count.ts";
import { MessageLine } from "../../components/message-line.tsx";
import { SegmentedControl } from "../../components/segmented-control.tsx";
import { HitList } from "./hit-list.tsx";
import type { ReadAnswer } from "./read-answer.ts";

type AnswerView = "raw" | "hits";

interface AnswerPanelProps {
  answer: ReadAnswer;
  /** The next one is on its way. */
  isOutdated: boolean;
}

export function AnswerPanel({ answer, isOutdated }: AnswerPanelProps): ReactNode {
  const [view, setView] = useState<AnswerView>("raw");
  const { format, body, truncated, hits } = answer;
  const shown = hits ? view : "raw";
  return (
    <div aria-busy={isOutdated} className={`flex flex-col gap-3 transition-opacity ${isOutdated ? "opacity-50" : ""}`}>
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Figures answer={answer} />
        {hits && (
          <SegmentedControl
            label="Show the answer as"
            value={view}
            onChange={setView}
            tabs={[
              { value: "raw", label: "As agents get it" },
              { value: "hits", label: "Hits" },
            ]}
          />
        )}
      </div>
      {truncated && <MessageLine tone="warn">{truncated} Ask for fewer hits to get more of each.</MessageLine>}
      {shown === "hits" && hits ? (
        <HitList hits={hits} />
      ) : (
        <CodeBlock
          key={format}
          label="Answer, as an agent gets it"
          language={format}
          code={body}
          wrap
          maxHeight={560}
        />
      )}
      {!hits && <p className="text-xs text-muted">Ask as JSON to look at the hits one by one.</p>}
    </div>
  );
}

function Figures({ answer: { count, durationMs, bytes } }: { answer: ReadAnswer }): ReactNode {
  return (
    <p role="status" className="tabular flex flex-wrap gap-1.5">
      {count !== undefined && <Chip tone="info">{`${count} ${count === 1 ? "hit" : "hits"}`}</Chip>}
      <Chip>{`${formatCount(Math.round(durationMs))} ms`}</Chip>
      <Chip>{`${formatCount(bytes)} of ${formatCount(MAX_ANSWER_BYTES)} bytes`}</Chip>
    </p>
  );
}
