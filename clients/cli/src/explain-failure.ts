import type { ErrorCode, Problem } from "@svc/contract";
import { ApiProblem, ConnectionFailed } from "@svc/http-client";
import { CliError } from "./cli-error.ts";

export interface Failure {
  problem: Problem;
  exit: number;
  retryAfterSeconds?: number | undefined;
}

/** Anything thrown, as the problem it is and the exit code it means. */
export async function explainFailure(error: unknown): Promise<Failure> {
  const { ERRORS } = await import("@svc/contract");
  if (error instanceof ApiProblem) {
    const { problem, retryAfterSeconds } = error;
    return { problem, exit: ERRORS[problem.code].exit, retryAfterSeconds };
  }
  const { code, detail, problems } = explainLocally(error);
  const { status, exit, title } = ERRORS[code];
  const problem = { type: `urn:svc:error:${code}`, title, status, detail, code, ...(problems && { problems }) };
  return { problem, exit };
}

interface Explanation {
  code: ErrorCode;
  detail: string;
  problems?: Problem["problems"];
}

function explainLocally(error: unknown): Explanation {
  if (error instanceof CliError) return { code: error.code, detail: error.message, problems: error.problems };
  if (error instanceof ConnectionFailed) return explainConnection(error);
  if (error instanceof Error && error.name === "TimeoutError") {
    return { code: "TIMEOUT", detail: "The service did not answer in time. Try again, or allow more with --timeout." };
  }
  return { code: "INTERNAL", detail: error instanceof Error ? error.message : String(error) };
}

function explainConnection({ message, code = "" }: ConnectionFailed): Explanation {
  const advice = "svc doctor looks for the reason.";
  if (code === "ETIMEDOUT") return { code: "TIMEOUT", detail: `${message}. ${advice}` };
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return { code: "UNAVAILABLE", detail: `${message}. Is the address right? ${advice}` };
  }
  if (/CERT|SIGNATURE|ALTNAME|ISSUER|CHAIN/.test(code)) {
    return {
      code: "UNAVAILABLE",
      detail: `${message}. If it is a certificate of your own authority, set NODE_EXTRA_CA_CERTS to its file.`,
    };
  }
  return { code: "UNAVAILABLE", detail: `${message}. Is it running, and the address right? ${advice}` };
}
