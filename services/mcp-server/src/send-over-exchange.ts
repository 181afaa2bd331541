import { ConnectionFailed, type Send } from "@svc/http-client";
import { exchange } from "@svc/platform/http";

/** The client of our API over the connections that services keep open to each other. */
export const sendOverExchange: Send = async (url, { onSent: _onSent, ...request }) => {
  const { status, headers, text } = await exchange(url, request).catch((error: unknown) => {
    const isOurs = request.signal?.aborted || (error instanceof Error && error.name === "TimeoutError");
    throw isOurs ? error : new ConnectionFailed(url.origin, error);
  });
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name) => headers[name.toLowerCase()]?.toString() ?? null },
    json: async () => JSON.parse(text) as unknown,
    text: async () => text,
  };
};
