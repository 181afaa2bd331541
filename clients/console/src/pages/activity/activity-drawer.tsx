import type { Activity } from "@svc/contract";
import type { ReactNode } from "react";
import { InlineCode } from "../../components/code-block.tsx";
import { DescriptionList } from "../../components/description-list.tsx";
import { Drawer } from "../../components/drawer.tsx";
import { formatExact } from "../../components/format-time.ts";
import { formatBytes, formatDuration, outcomeInWords, SOURCE_WORDS, whoAsked } from "./words.ts";

/** One question, without its words: they are never kept. */
export function ActivityDrawer({ activity, onClose }: { activity: Activity; onClose: () => void }): ReactNode {
  const { source_id, at, source, client_id, duration_ms, question_bytes, answer_bytes } = activity;
  return (
    <Drawer
      open
      onOpenChange={(open) => !open && onClose()}
      title={`A question to ${source_id}`}
      description="Neither the question nor the answer is kept, only their sizes and keyed digests."
    >
      <DescriptionList
        items={[
          { term: "When", description: formatExact(new Date(at)) },
          { term: "Asked by", description: whoAsked(activity) },
          { term: "Source", description: SOURCE_WORDS[source] },
          { term: "Agent", description: client_id === null ? "None" : <InlineCode>{client_id}</InlineCode> },
          { term: "Outcome", description: outcomeInWords(activity) },
          { term: "Duration", description: formatDuration(duration_ms) },
          { term: "Question", description: formatBytes(question_bytes) },
          { term: "Answer", description: formatBytes(answer_bytes) },
          { term: "Digest of the question", description: <InlineCode>{activity.question_digest}</InlineCode> },
          {
            term: "Digest of the answer",
            description: activity.answer_digest === null ? "None" : <InlineCode>{activity.answer_digest}</InlineCode>,
          },
          { term: "Record", description: <InlineCode>{activity.id}</InlineCode> },
        ]}
      />
    </Drawer>
  );
}
