import type { FieldProblem } from "@svc/contract";
import { ApiProblem, ConnectionFailed } from "@svc/http-client";

export interface ErrorWords {
  kind: "forbidden" | "missing" | "offline" | "waiting" | "failed";
  /** What happened. */
  title: string;
  /** Why, where it is known. */
  detail?: string;
  /** What to do next. */
  next: string;
  code?: string;
  problems?: FieldProblem[];
  retryAfterSeconds?: number;
}

const AGAIN = "Try again. If it happens again, tell who runs this service.";

/** Any error in words. `what` is what was wanted: "the data sources". */
export function describeError(error: unknown, what: string): ErrorWords {
  if (error instanceof ApiProblem) return describeProblem(error);
  const name = error instanceof Error ? error.name : "";
  if (name === "TimeoutError") {
    return {
      kind: "waiting",
      title: `Loading ${what} took too long`,
      detail: "The service did not answer in time.",
      next: "Try again. If it stays slow, ask for less at once.",
    };
  }
  if (error instanceof ConnectionFailed || error instanceof TypeError) {
    return {
      kind: "offline",
      title: "The service cannot be reached",
      next: "Check your connection, then try again.",
    };
  }
  return {
    kind: "failed",
    title: `${capitalize(what)} could not be loaded`,
    ...(error instanceof Error && error.message !== "" && { detail: error.message }),
    next: AGAIN,
  };
}

function describeProblem({ problem, retryAfterSeconds }: ApiProblem): ErrorWords {
  const { title, detail, code, status, problems } = problem;
  const said = { title, detail, code, ...(problems && problems.length > 0 && { problems }) };
  if (status === 429) {
    const wait = { retryAfterSeconds: retryAfterSeconds ?? 10 };
    return { ...said, ...wait, kind: "waiting", next: "Wait until the time is over, then try again." };
  }
  if (status === 401) return { ...said, kind: "forbidden", next: "Sign in again to go on." };
  if (status === 403) return { ...said, kind: "forbidden", next: "Ask an owner of the organization for it." };
  if (status === 404) {
    return {
      ...said,
      kind: "missing",
      next: "It may have been removed, or the address is wrong. Go back to the list.",
    };
  }
  if (status === 503 || status === 504) return { ...said, kind: "waiting", next: "Try again in a moment." };
  if (status < 500) return { ...said, kind: "failed", next: "Change what is said above, then try again." };
  return { ...said, kind: "failed", next: AGAIN };
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
