import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useOrg } from "../../session/use-org.ts";
import { type QuestionDraft, questionOf } from "./question-draft.ts";
import { type ReadAnswer, readAnswer } from "./read-answer.ts";
import type { SourceView } from "./source-view.ts";

export interface Asking {
  ask: (draft: QuestionDraft) => void;
  isPending: boolean;
  error: Error | null;
  /** The last one, also while the next is on its way. */
  answer: ReadAnswer | undefined;
}

/** Asks as an agent does, once for each press. */
export function useAsk(view: SourceView): Asking {
  const { api } = useOrg();
  const [answer, setAnswer] = useState<ReadAnswer>();
  const asking = useMutation({
    mutationFn: async (draft: QuestionDraft) => {
      const question = questionOf(draft, view.filters);
      const startedAt = performance.now();
      const body = await (draft.format === "yaml"
        ? api.askForYaml(view.sourceId, question)
        : api.askForText(view.sourceId, question));
      return readAnswer(draft.format, body, performance.now() - startedAt);
    },
    onSuccess: setAnswer,
  });
  return {
    ask: (draft) => !asking.isPending && asking.mutate(draft),
    isPending: asking.isPending,
    error: asking.error,
    answer,
  };
}
