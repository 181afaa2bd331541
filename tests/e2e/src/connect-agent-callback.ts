import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Callback {
  url: string;
  /** What comes back for one request, which is known by its state. */
  wait(state: string): Promise<URLSearchParams>;
  close(): Promise<void>;
}

/** Where a program on somebody's machine waits for their browser. */
export async function startCallback(): Promise<Callback> {
  const awaited = new Map<string, PromiseWithResolvers<URLSearchParams>>();
  const awaitedFor = (state: string): PromiseWithResolvers<URLSearchParams> => {
    const known = awaited.get(state) ?? Promise.withResolvers<URLSearchParams>();
    awaited.set(state, known);
    return known;
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    if (pathname === "/callback") awaitedFor(searchParams.get("state") ?? "").resolve(searchParams);
    response.setHeader("content-type", "text/html");
    response.end('<!doctype html><html lang="en"><title>agent</title><link rel="icon" href="data:,"><p>Go back</p>');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    wait: (state) => awaitedFor(state).promise,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
