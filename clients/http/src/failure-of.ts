import type * as Contract from "@svc/contract";
import { ApiProblem } from "./api-problem.ts";
import { readYamlProblem } from "./read-yaml-problem.ts";
import type { SendResponse } from "./send-with-fetch.ts";

/** What to throw for an answer that says no. */
export async function failureOf(
  contract: typeof Contract,
  origin: string,
  response: SendResponse,
): Promise<ApiProblem | Error> {
  const { status, headers } = response;
  const problem = readProblem(contract, await readRefusal(response));
  if (problem) return new ApiProblem(problem, secondsOf(headers.get("retry-after")));
  const elsewhere = originOf(headers.get("location"), origin);
  if (elsewhere) return new Error(`${origin} answered ${status} and points to ${elsewhere}; use that address`);
  return new Error(`${origin} answered ${status} with something else than a problem`);
}

/** Undefined for what is no JSON. */
export async function readJson(response: SendResponse): Promise<unknown> {
  return response.json().catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error;
  });
}

/** Who asks for YAML is refused in YAML too. */
async function readRefusal(response: SendResponse): Promise<unknown> {
  const isYaml = response.headers.get("content-type")?.startsWith("application/yaml");
  return isYaml && response.text ? readYamlProblem(await response.text()) : readJson(response);
}

/** What a problem is taken for whose code came after this contract: additions are no breach of it. */
const GENERAL: Record<number, Contract.ErrorCode> = {
  400: "INVALID_REQUEST",
  401: "UNAUTHENTICATED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  429: "RATE_LIMITED",
  503: "UNAVAILABLE",
  504: "TIMEOUT",
};

function readProblem({ problemSchema }: typeof Contract, body: unknown): Contract.Problem | undefined {
  const known = problemSchema.safeParse(body);
  if (known.success) return known.data;
  if (typeof body !== "object" || body === null || !("status" in body) || !("code" in body)) return undefined;
  return problemSchema.safeParse({ ...body, code: GENERAL[Number(body.status)] ?? "INTERNAL" }).data;
}

function secondsOf(retryAfter: string | null): number | undefined {
  return retryAfter !== null && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : undefined;
}

function originOf(location: string | null, base: string): string | undefined {
  if (location === null || !URL.canParse(location, base)) return undefined;
  const { origin } = new URL(location, base);
  return origin === base || origin === "null" ? undefined : origin;
}
