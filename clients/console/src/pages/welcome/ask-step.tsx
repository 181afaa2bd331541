import type { DataSource } from "@svc/contract";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { describeFailedAct } from "../../components/describe-failed-act.ts";
import { TextField } from "../../components/field.tsx";
import { MessageLine } from "../../components/message-line.tsx";
import { useOrg } from "../../session/use-org.ts";

/** Not a word of it is in the page of the handbook that answers it. */
const SUGGESTION = "Who pays for my train ticket?";

export function AskStep({ source, onAnswer }: { source: DataSource; onAnswer: () => void }): ReactNode {
  const { api } = useOrg();
  const [question, setQuestion] = useState(SUGGESTION);
  const ask = useMutation({ mutationFn: () => api.askForYaml(source.source_id, { query: question, top_k: 3 }) });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!ask.isPending) ask.mutate();
  };
  return (
    <div className="flex flex-col gap-4">
      <form onSubmit={submit} className="flex flex-col items-start gap-4">
        <TextField
          className="w-full max-w-md"
          label="Question"
          hint="In your own words: it is compared by meaning."
          value={question}
          onChange={setQuestion}
          required
          maxLength={2_000}
        />
        <MessageLine tone="danger">{ask.error && describeFailedAct(ask.error)}</MessageLine>
        <Button variant={ask.data === undefined ? "primary" : "secondary"} type="submit" pending={ask.isPending}>
          Ask
        </Button>
      </form>
      {ask.data !== undefined && (
        <>
          <CodeBlock label="What an agent gets" language="yaml" code={ask.data} maxHeight={320} />
          <div>
            <Button variant="primary" onClick={onAnswer}>
              Finish
            </Button>
          </div>
        </>
      )}
    </div>
  );
}
