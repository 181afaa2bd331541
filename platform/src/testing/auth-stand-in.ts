import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

type Answer = { status?: number; body: unknown };

export interface AuthStandIn {
  url: string;
  /** Every token that was asked about, in order. */
  asked: string[];
  /** What the next questions are answered with; a text is sent as it is. */
  answer: (token: string) => Answer | Promise<Answer>;
  close(): Promise<void>;
}

/** A real HTTP server in the place of the auth service, for what the real one would not do on demand. */
export async function startAuthStandIn(): Promise<AuthStandIn> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { token } = (await json(request)) as { token: string };
    standIn.asked.push(token);
    const isKnownAddress = request.method === "POST" && request.url === "/api/v1/tokens/validate";
    const { status = 200, body } = isKnownAddress ? await standIn.answer(token) : { status: 404, body: {} };
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const standIn: AuthStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    answer: () => ({ body: { valid: false, reason: "Nobody is known here" } }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return standIn;
}

/** The body of a positive answer. */
export function validAnswer(cacheSeconds: number, role = "viewer"): { body: object } {
  const org = { id: "org_01h455vb4pex5vsknk084sn02q", slug: "acme", name: "Acme" };
  return { body: { valid: true, kind: "api_token", org, role, expires_at: null, cache_seconds: cacheSeconds } };
}
