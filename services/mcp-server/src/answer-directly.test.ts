import type { ApiClient } from "@svc/http-client";
import { AppError } from "@svc/platform/errors";
import { describe, expect, it } from "vitest";
import { createAnswering, type IncomingMessage, type MessageAnswer } from "./answer-messages.ts";
import { hostileMessages } from "./testing/hostile-messages.ts";
import { ERAS, modernMessage } from "./testing/mcp-fixture.ts";

const RESOURCE = "https://mcp.example.com/platform";
const HITS = { count: 1, results: [{ id: "7", title: 'A "title"\u2028', metadata: { _score: 0.5, ü: null } }] };

const running = (answer: () => string = () => JSON.stringify(HITS)) => {
  const seen: unknown[] = [];
  const api = {
    askForText: async (...asked: unknown[]) => {
      seen.push(asked);
      return answer();
    },
    listAskableSourcesAsText: async () => answer(),
  } as unknown as ApiClient;
  return { seen, run: { api, requestId: "a-request", log: { error: () => undefined } } };
};

function messageOf(era: string, change: Record<string, unknown> = {}): IncomingMessage {
  const params = { name: "data_source_query", arguments: { source_id: "db_x", query: "ü" } };
  const modern = modernMessage("tools/call", params);
  if (era === "2026") {
    return { method: "POST", headers: modern.headers, body: JSON.stringify({ ...JSON.parse(modern.body), ...change }) };
  }
  const { accept, "content-type": type } = modern.headers;
  return {
    method: "POST",
    headers: { accept, "content-type": type, "mcp-protocol-version": "2025-06-18" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params, ...change }),
  };
}

describe.each(ERAS)("a call like one that was answered before, in the protocol of %s", (era) => {
  it.each([1, 0, -5, "text", "", 'a "b"'])("is answered as the first was, with the id %j", async (id) => {
    const answering = createAnswering(RESOURCE);
    const { run, seen } = running();
    const first = await answering(messageOf(era, { id }), run);
    const second = await answering(messageOf(era, { id }), run);
    expect(first.status).toBe(200);
    expect({ ...second, body: JSON.parse(second.body) }).toEqual({ ...first, body: JSON.parse(first.body) });
    expect(JSON.parse(second.body)).toMatchObject({ id, result: { structuredContent: HITS } });
    expect(seen).toHaveLength(2);
    expect(seen[0]).toEqual(seen[1]);
  });

  it("is answered with an error as the first was", async () => {
    const answering = createAnswering(RESOURCE);
    const refusing = (): never => {
      throw new AppError("RATE_LIMITED", "Too many.", { retryAfterSeconds: 3 });
    };
    const [first, second] = [
      await answering(messageOf(era), running(refusing).run),
      await answering(messageOf(era), running(refusing).run),
    ];
    expect(JSON.parse(second.body)).toEqual(JSON.parse(first.body));
    expect(JSON.parse(second.body)).toMatchObject({ result: { isError: true } });
  });
});

it("makes no difference to any message but in the time it takes", { timeout: 60_000 }, async () => {
  const seasoned = createAnswering(RESOURCE);
  for (const era of ERAS) await seasoned(messageOf(era), running().run);
  const statuses = new Set<number>();
  for (const { method, headers, body } of hostileMessages(3, 3_000)) {
    if (!["POST", "GET", "DELETE"].includes(method)) continue;
    const first = await createAnswering(RESOURCE)({ method, headers, body }, running().run);
    const later = await seasoned({ method, headers, body }, running().run);
    const again = await seasoned({ method, headers, body }, running().run);
    for (const answer of [later, again]) {
      expect({ body, answer: readable(answer) }).toEqual({ body, answer: readable(first) });
    }
    statuses.add(first.status);
  }
  expect([...statuses].toSorted()).toEqual(expect.arrayContaining([200, 202, 400, 405]));
});

function readable({ status, body }: MessageAnswer): unknown[] {
  try {
    return [status, JSON.parse(body)];
  } catch {
    return [status, body];
  }
}
