import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ApiClient, createApiClient } from "../index.ts";
import { type LoopbackServer, startLoopbackServer } from "./loopback-server.ts";

export type CallRow = [
  name: string,
  call: (client: ApiClient) => Promise<unknown>,
  /** Method, path and query. */
  request: string,
  body: unknown,
  /** Undefined: the service answers 204. */
  answer: object | undefined,
];

/** What each call sends, and what it makes of the answer. */
export function describeCalls(subject: string, rows: CallRow[]): void {
  let server: LoopbackServer;
  let answer: object | undefined;

  beforeAll(async () => {
    server = await startLoopbackServer((response) =>
      answer === undefined ? response.writeHead(204).end() : response.end(JSON.stringify(answer)),
    );
  });
  afterAll(() => server.stop());
  beforeEach(() => server.received.splice(0));

  describe(`calls about ${subject}`, () => {
    it.each(rows)("%s", async (_name, call, request, body, given) => {
      answer = given;
      const client = createApiClient({ baseUrl: server.baseUrl, token: () => "svc_token", userAgent: "svc/1.2.3" });
      expect(await call(client)).toEqual(given);
      const [method, url] = request.split(" ");
      expect(server.received).toMatchObject([
        { method, url, headers: { accept: "application/json", "user-agent": "svc/1.2.3" } },
      ]);
      expect(server.received[0]?.body).toEqual(body);
      expect(server.received[0]?.headers["content-type"]).toBe(body === undefined ? undefined : "application/json");
    });

    it.each(rows.filter(([, , , , given]) => given !== undefined))(
      "%s refuses an answer of another shape",
      async (_name, call) => {
        answer = { items: "none" };
        const client = createApiClient({ baseUrl: server.baseUrl, token: () => "svc_token" });
        await expect(call(client)).rejects.toThrow("answered 200 with something else than was asked for");
      },
    );
  });
}
