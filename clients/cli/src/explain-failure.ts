import type { ErrorCode, Problem } from "@svc/contract";
import { ApiProblem, ConnectionFailed } from "@svc/http-client";
import { CliError } from "./cli-error.ts";

export interface Failure {
  problem: Problem;
  exit: number;
  /** In its own words. */
  isFromService: boolean;
  retryAfterSeconds?: number | undefined;
}

/** Anything thrown, as the problem it is and the exit code it means. */
export async function explainFailure(error: unknown): Promise<Failure> {
  const { ERRORS } = await import("@svc/contract");
  if (error instanceof ApiProblem) {
    const { problem, retryAfterSeconds } = error;
    return { problem, exit: ERRORS[problem.code].exit, isFromService: true, retryAfterSeconds };
  }
  const { code, detail } = explainLocally(error);
  const { status, exit, title } = ERRORS[code];
  return { problem: { type: `urn:svc:error:${code}`, title, status, detail, code }, exit, isFromService: false };
}

function explainLocally(error: unknown): { code: ErrorCode; detail: string } {
  if (error instanceof CliError) return { code: error.code, detail: error.message };
  if (error instanceof ConnectionFailed) {
    const detail = `${error.message}. ${adviceOn(error)} svc doctor looks for the reason.`;
    return { code: error.code === "ETIMEDOUT" ? "TIMEOUT" : "UNAVAILABLE", detail };
  }
  if (error instanceof Error && error.name === "TimeoutError") {
    return { code: "TIMEOUT", detail: "The service did not answer in time. Try again, or allow more with --timeout." };
  }
  return { code: "INTERNAL", detail: error instanceof Error ? error.message : String(error) };
}

export function adviceOn({ code = "" }: ConnectionFailed): string {
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return "Its certificate is for another name: is the address right?";
  if (/CERT|SIGNATURE|ISSUER|CHAIN/.test(code)) {
    return "If its certificate is of an authority of your own, set NODE_EXTRA_CA_CERTS to the file of that authority.";
  }
  if (/SSL|EPROTO/.test(code)) return "Does it speak https there, or http?";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "Is the address right?";
  return "Is it running, and is the address right?";
}
