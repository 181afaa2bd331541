import { MAX_ANSWER_BYTES } from "@svc/contract/plain";
import { MessageSquareText } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useId, useRef } from "react";
import { EmptyState } from "../../components/empty-state.tsx";
import { formatCount } from "../../components/format-count.ts";
import { Panel } from "../../components/page.tsx";
import { SkeletonBlock } from "../../components/skeleton.tsx";
import { AnswerPanel } from "./answer-panel.tsx";
import { AskProblem } from "./ask-problem.tsx";
import type { QuestionDraft } from "./question-draft.ts";
import { QuestionForm } from "./question-form.tsx";
import type { SourceView } from "./source-view.ts";
import type { Asking } from "./use-ask.ts";
import { WhyNotAskable } from "./why-not-askable.tsx";

interface TryTabProps {
  view: SourceView;
  draft: QuestionDraft;
  onDraft: (draft: QuestionDraft) => void;
  asking: Asking;
}

/** A question on the left, and on the right what an agent would get. */
export function TryTab({ view, draft, onDraft, asking }: TryTabProps): ReactNode {
  const titleId = useId();
  const place = useComingIntoView(asking);
  return (
    <div className="flex flex-col gap-4">
      <WhyNotAskable view={view} />
      <div className="grid items-start gap-6 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <QuestionForm view={view} draft={draft} onDraft={onDraft} asking={asking} />
        <section ref={place} aria-labelledby={titleId} className="min-w-0 scroll-mt-16">
          <h2 id={titleId} className="sr-only">
            Answer
          </h2>
          {result()}
        </section>
      </div>
    </div>
  );

  function result(): ReactNode {
    const { error, answer, isPending } = asking;
    if (error) {
      return (
        <Panel padded={false}>
          <AskProblem error={error} onRetry={() => asking.ask(draft)} />
        </Panel>
      );
    }
    if (answer) return <AnswerPanel answer={answer} isOutdated={isPending} />;
    if (isPending) {
      return (
        <div role="status">
          <span className="sr-only">Asking</span>
          <SkeletonBlock className="h-72" />
        </div>
      );
    }
    return (
      <Panel padded={false}>
        <EmptyState icon={MessageSquareText} title="The answer appears here">
          Exactly as an agent gets it: the same hits, the same text, at most {formatCount(MAX_ANSWER_BYTES)} bytes.
        </EmptyState>
      </Panel>
    );
  }
}

/** On a small screen the answer is below the form: who just asked is taken to it. */
function useComingIntoView({ answer, error }: Asking): RefObject<HTMLElement | null> {
  const place = useRef<HTMLElement>(null);
  const seen = useRef<unknown>(error ?? answer);
  useEffect(() => {
    const latest = error ?? answer;
    if (!latest || latest === seen.current) return;
    seen.current = latest;
    const isBelow = (place.current?.getBoundingClientRect().top ?? 0) > innerHeight * 0.8;
    if (isBelow) place.current?.scrollIntoView({ block: "start", behavior: "smooth" });
  }, [answer, error]);
  return place;
}
