import type * as Contract from "@svc/contract";
import type { z } from "zod";
import { ApiProblem } from "./api-problem.ts";
import { type Send, type SendResponse, sendWithFetch } from "./send-with-fetch.ts";

export interface ApiClientOptions {
  baseUrl: string;
  /** Asked at each call, so that a token that was renewed is used at once. */
  token: () => string | Promise<string>;
  timeoutMs?: number;
  /** What the service is to know this client by. The built-in fetch names itself otherwise. */
  userAgent?: string;
  /** Gives up every call of this client. */
  signal?: AbortSignal;
  /** Sends a request. For a client that does more than send it, such as renewing its token. */
  fetch?: typeof fetch;
  /** Instead of any fetch, for a client to which that is too heavy. */
  send?: Send;
}

/** `to` is a method and a path, such as `GET /api/me`. */
export type Call = <T>(to: string, answer: (contract: typeof Contract) => z.ZodType<T>, body?: unknown) => Promise<T>;

let loaded: Promise<typeof Contract> | undefined;

/**
 * The schemas bring zod, which takes longer to load than a request to leave; so types alone are imported above. Once,
 * because to import what is loaded already still costs 50 µs.
 */
const loadContract = (): Promise<typeof Contract> => (loaded ??= import("@svc/contract"));

export function createCall(options: ApiClientOptions): Call {
  const sendCall = createSending(options);
  return async (to, answer, body) => {
    const { origin, response } = await sendCall(to, body);
    const received = await readJson(response);
    const contract = await loadContract();
    if (!response.ok) throw failureOf(contract, origin, response, received);
    const result = answer(contract).safeParse(received);
    if (result.success) return result.data;
    throw new Error(`${origin} answered ${response.status} with something else than was asked for`, {
      cause: result.error,
    });
  };
}

/** The text of an answer, for who passes it on: it is not read, since the service has checked it already. */
export function createTextCall(options: ApiClientOptions): (to: string, body?: unknown) => Promise<string> {
  const sendCall = createSending(options);
  return async (to, body) => {
    const { origin, response } = await sendCall(to, body);
    if (!response.ok) throw failureOf(await loadContract(), origin, response, await readJson(response));
    if (response.text && response.headers.get("content-type")?.startsWith("application/json")) return response.text();
    return JSON.stringify(await response.json());
  };
}

function createSending({ baseUrl, token, timeoutMs = 10_000, ...options }: ApiClientOptions) {
  const { userAgent, signal, send = sendWithFetch(options.fetch ?? fetch) } = options;
  return async (to: string, body: unknown): Promise<{ origin: string; response: SendResponse }> => {
    const [method = "", path = ""] = to.split(" ");
    const url = new URL(path, baseUrl);
    const headers = {
      accept: "application/json",
      authorization: `Bearer ${await token()}`,
      ...(userAgent !== undefined && { "user-agent": userAgent }),
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const response = await send(url, {
      method,
      headers,
      timeoutMs,
      onSent: () => void loadContract().catch(() => undefined),
      ...(signal && { signal }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { origin: url.origin, response };
  };
}

/** Undefined for what is no JSON. */
async function readJson(response: SendResponse): Promise<unknown> {
  return response.json().catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error;
  });
}

function failureOf(
  contract: typeof Contract,
  origin: string,
  { status, headers }: SendResponse,
  body: unknown,
): ApiProblem | Error {
  const problem = readProblem(contract, body);
  if (problem) return new ApiProblem(problem, secondsOf(headers.get("retry-after")));
  const elsewhere = originOf(headers.get("location"), origin);
  if (elsewhere) return new Error(`${origin} answered ${status} and points to ${elsewhere}; use that address`);
  return new Error(`${origin} answered ${status} with something else than a problem`);
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
