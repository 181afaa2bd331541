import type * as Contract from "@svc/contract";
import type { z } from "zod";
import { failureOf, readJson } from "./failure-of.ts";
import { type Send, type SendResponse, sendWithFetch } from "./send-with-fetch.ts";

export interface ApiClientOptions {
  baseUrl: string;
  /**
   * Asked at each call, so that a token that was renewed is used at once. Undefined where a cookie says who calls, or
   * nobody does.
   */
  token: () => string | undefined | Promise<string | undefined>;
  timeoutMs?: number;
  /** What the service is to know this client by. The built-in fetch names itself otherwise. */
  userAgent?: string;
  /** Gives up every call of this client. */
  signal?: AbortSignal;
  /** Sends a request. For a client that does more than send it, such as renewing its token. */
  fetch?: typeof fetch;
  /** Instead of any fetch, for a client to which that is too heavy. */
  send?: Send;
  /**
   * For a page that the service itself has delivered: answers are taken as they come. To check them needs zod, which
   * is more to load than such a page's own scripts.
   */
  takeAnswersUnchecked?: boolean;
}

/** `to` is a method and a path, such as `GET /api/me`. */
export interface Calls {
  call<T>(to: string, answer: (contract: typeof Contract) => z.ZodType<T>, body?: unknown): Promise<T>;
  /** For what is answered with nothing. */
  perform(to: string, body?: unknown): Promise<void>;
  /** The text of an answer, for who passes it on: it is not read, since the service has checked it already. */
  callForText(to: string, type: "application/json" | "application/yaml", body?: unknown): Promise<string>;
}

let loaded: Promise<typeof Contract> | undefined;

/**
 * The schemas bring zod, which takes longer to load than a request to leave; so types alone are imported above. Once,
 * because to import what is loaded already still costs 50 µs.
 */
const loadContract = (): Promise<typeof Contract> => (loaded ??= import("@svc/contract"));

export function createCalls(options: ApiClientOptions): Calls {
  const sendCall = createSending(options);
  const sendForAnswer = async (to: string, accept: string, body: unknown) => {
    const { origin, response } = await sendCall(to, accept, body);
    if (!response.ok) throw await failureOf(await loadContract(), origin, response);
    return { origin, response };
  };

  return {
    call: async (to, answer, body) => {
      const { origin, response } = await sendForAnswer(to, "application/json", body);
      const received = await readJson(response);
      if (options.takeAnswersUnchecked) return received as never;
      const result = answer(await loadContract()).safeParse(received);
      if (result.success) return result.data;
      throw unexpected(origin, response.status, result.error);
    },
    perform: async (to, body) => {
      const { response } = await sendForAnswer(to, "application/json", body);
      // To its end, which lets go of the connection.
      await readJson(response);
    },
    callForText: async (to, type, body) => {
      const { origin, response } = await sendForAnswer(to, type, body);
      if (response.text && response.headers.get("content-type")?.startsWith(type)) return response.text();
      if (type === "application/json") return JSON.stringify(await response.json());
      throw unexpected(origin, response.status);
    },
  };
}

function unexpected(origin: string, status: number, cause?: unknown): Error {
  return new Error(`${origin} answered ${status} with something else than was asked for`, { cause });
}

function createSending({ baseUrl, token: tokenOf, timeoutMs = 10_000, ...options }: ApiClientOptions) {
  const { userAgent, signal, send = sendWithFetch(options.fetch ?? fetch) } = options;
  return async (to: string, accept: string, body: unknown): Promise<{ origin: string; response: SendResponse }> => {
    const [method = "", path = ""] = to.split(" ");
    const url = new URL(path, baseUrl);
    const token = await tokenOf();
    const headers = {
      accept,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(userAgent !== undefined && { "user-agent": userAgent }),
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const response = await send(url, {
      method,
      headers,
      timeoutMs,
      onSent: () => void (options.takeAnswersUnchecked || loadContract().catch(() => undefined)),
      ...(signal && { signal }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { origin: url.origin, response };
  };
}
