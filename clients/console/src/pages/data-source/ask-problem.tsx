import { ApiProblem } from "@svc/http-client";
import { EyeOff } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { StateMessage } from "../../components/state-message.tsx";

/** Why there is no answer, in the words of the service; and what it keeps to itself. */
export function AskProblem({ error, onRetry }: { error: Error; onRetry: () => void }): ReactNode {
  if (!(error instanceof ApiProblem) || error.problem.status !== 404) {
    return <ErrorState error={error} what="the answer" onRetry={onRetry} />;
  }
  return (
    <StateMessage
      icon={EyeOff}
      title="This source is not exposed to your role"
      action={<Button onClick={onRetry}>Try again</Button>}
    >
      <div role="alert" className="space-y-2">
        <span className="sr-only">This source is not exposed to your role. </span>
        <p>{error.problem.detail}</p>
        <p>An agent of yours gets the same answer. An admin or owner can expose the source in its overview.</p>
      </div>
      <p className="font-mono text-2xs text-faint">{error.problem.code}</p>
    </StateMessage>
  );
}
