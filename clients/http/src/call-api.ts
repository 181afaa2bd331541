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

/** The schemas bring zod, which takes longer to load than a request to leave; so types alone are imported above. */
let contract: Promise<typeof Contract> | undefined;
/** Once: to import what is loaded already still costs 50 µs. */
const loadContract = (): Promise<typeof Contract> => (contract ??= import("@svc/contract"));

export function createCall({ baseUrl, token, timeoutMs = 10_000, ...options }: ApiClientOptions): Call {
  const { userAgent, signal, send = sendWithFetch(options.fetch ?? fetch) } = options;
  return async (to, answer, body) => {
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
    const received = await response.json().catch((error: unknown) => {
      if (!(error instanceof SyntaxError)) throw error;
    });
    return readAnswer(url.origin, response, received, answer);
  };
}

async function readAnswer<T>(
  origin: string,
  { ok, status, headers }: SendResponse,
  body: unknown,
  answer: (contract: typeof Contract) => z.ZodType<T>,
): Promise<T> {
  const contract = await loadContract();
  const said = `${origin} answered ${status} with something else than`;
  if (ok) {
    const result = answer(contract).safeParse(body);
    if (result.success) return result.data;
    throw new Error(`${said} was asked for`, { cause: result.error });
  }
  const problem = readProblem(contract, body);
  if (problem) throw new ApiProblem(problem, secondsOf(headers.get("retry-after")));
  const elsewhere = originOf(headers.get("location"), origin);
  if (elsewhere) throw new Error(`${origin} answered ${status} and points to ${elsewhere}; use that address`);
  throw new Error(`${said} a problem`);
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
