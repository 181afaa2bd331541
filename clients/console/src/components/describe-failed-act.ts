import { ApiProblem, ConnectionFailed } from "@svc/http-client";

/** Why something that was pressed did not happen, and what to do next; for a dialog, a toast or below a form. */
export function describeFailedAct(error: unknown): string {
  if (error instanceof ApiProblem) {
    const wait = error.retryAfterSeconds;
    return wait === undefined ? error.problem.detail : `${error.problem.detail} Try again in ${wait} seconds.`;
  }
  if (error instanceof ConnectionFailed) return "The service cannot be reached. Check your connection, then try again.";
  if (error instanceof Error && error.name === "TimeoutError") {
    return "The service did not answer in time. Look whether it took effect before you try again.";
  }
  if (error instanceof Error && error.message !== "") return error.message;
  return "It did not work. Try again.";
}
