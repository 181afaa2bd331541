import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface ReceivedRequest {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: unknown;
}

export interface LoopbackServer {
  baseUrl: string;
  received: ReceivedRequest[];
  stop(): void;
}

/** A server of this machine that keeps what it is sent and answers as told. */
export async function startLoopbackServer(answer: (response: ServerResponse) => void): Promise<LoopbackServer> {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      const { method, url, headers } = request;
      received.push({ method, url, headers, body: text === "" ? undefined : JSON.parse(text) });
      answer(response);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
