import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Context, Provider } from "oidc-provider";

export interface ProviderRequest {
  method: "GET" | "POST";
  /** Path and query. */
  url: string;
  headers: Record<string, string | undefined>;
  body?: string;
}

export interface ProviderAnswer {
  status: number;
  headers: OutgoingHttpHeaders;
  body: unknown;
}

/** Of the browser's or agent's request the library sees these alone. Without an origin it answers to all of them. */
const PASSED_ON = ["accept", "authorization", "content-type", "cookie"];

/**
 * Lets oidc-provider answer a request without giving it the connection: what it answers is sent once its writes are
 * committed, with our own headers. Addresses that it builds are the issuer's, whatever host a caller names.
 */
export function createRunner(
  provider: Provider,
  issuer: string,
): (request: ProviderRequest) => Promise<ProviderAnswer> {
  const failures = new WeakMap<Context, Error>();
  provider.on("server_error", (context, error) => void failures.set(context, error));
  return async (asked) => {
    const { request, response } = toNodeRequest(issuer, asked);
    const context = provider.createContext(request, response);
    const [answer] = provider.middleware;
    await answer?.(context, async () => undefined);
    // The library has made an answer of it that tells nobody anything; ours says whether to try again.
    const failure = failures.get(context);
    if (failure) throw failure;
    return { status: context.status, headers: response.getHeaders(), body: context.body };
  };
}

/** The same request on a connection of its own that leads nowhere. */
export function toNodeRequest(
  issuer: string,
  { method, url, headers, body }: ProviderRequest,
): { request: IncomingMessage; response: ServerResponse } {
  const { host, protocol } = new URL(issuer);
  const request = new IncomingMessage(new Socket());
  request.method = method;
  request.url = url;
  request.headers = { host, "x-forwarded-proto": protocol.slice(0, -1) };
  for (const name of PASSED_ON) if (headers[name] !== undefined) request.headers[name] = headers[name];
  if (body !== undefined) {
    const bytes = Buffer.from(body);
    request.headers["content-length"] = String(bytes.length);
    request.push(bytes);
  }
  request.push(null);
  request.complete = true;
  const response = new ServerResponse(request);
  response.statusCode = 404;
  return { request, response };
}
