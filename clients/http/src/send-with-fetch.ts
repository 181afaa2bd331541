import { ConnectionFailed } from "./api-problem.ts";

/** Sends one request. Throws a TimeoutError or ConnectionFailed where no answer comes. */
export type Send = (url: URL, request: SendRequest) => Promise<SendResponse>;

export interface SendRequest {
  method: string;
  headers: Record<string, string>;
  body?: string;
  /** Until the whole answer is there. */
  timeoutMs: number;
  signal?: AbortSignal;
  /** To be called once the request has left, if the sender can tell: what is needed for the answer is loaded then. */
  onSent: () => void;
}

export interface SendResponse {
  ok: boolean;
  status: number;
  headers: { get(name: string): string | null };
  /** Throws a SyntaxError for what is not JSON. */
  json(): Promise<unknown>;
  /** As it came; for a sender whose client shows answers or passes them on. */
  text?(): Promise<string>;
}

export function sendWithFetch(send: typeof fetch): Send {
  return async (url, { timeoutMs, signal, method, headers, body }) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const abort = signal ? AbortSignal.any([signal, timeout]) : timeout;
    const explain = (error: unknown): never => {
      if (abort.aborted) throw abort.reason;
      // What fetch calls a failed or broken connection. Anything else is the sender's own to say.
      throw error instanceof TypeError ? new ConnectionFailed(url.origin, error) : error;
    };
    // A token goes to the address it was given for, and nowhere else.
    const init: RequestInit = {
      method,
      headers,
      signal: abort,
      redirect: "manual",
      ...(body !== undefined && { body }),
    };
    const response = await send(url, init).catch(explain);
    const { ok, status } = response;
    return {
      ok,
      status,
      headers: response.headers,
      json: () => response.json().catch(explain),
      text: () => response.text().catch(explain),
    };
  };
}
