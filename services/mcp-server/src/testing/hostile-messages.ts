import { type SeededRandom, seededRandom } from "./seeded-random.ts";

export interface HostileMessage {
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const METHODS = [
  "tools/call",
  "tools/list",
  "initialize",
  "ping",
  "server/discover",
  "subscriptions/listen",
  "notifications/cancelled",
  "notifications/initialized",
  "resources/list",
  "resources/read",
  "prompts/get",
  "completion/complete",
  "logging/setLevel",
  "tasks/get",
  "__proto__",
  "constructor",
  "",
  "x".repeat(5_000),
];
const NAMES = ["data_source_query", "data_sources_list", "__proto__", "toString", "", "x", "../x"];
const VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "1999-01-01", "", "null", "ü"];
const TEXTS = [
  "",
  "db_handbook",
  "db_none",
  "../../databases",
  "..",
  "%2e%2e%2f",
  "\u0000",
  "\ud800",
  "' or 1=1 --",
  "${jndi:ldap://x}",
  "<script>",
  "a".repeat(9_000),
  "\u202e\u0007",
];

/** Messages as nobody means them, near enough to what is meant to get far. */
export function* hostileMessages(seed: number, count: number): Generator<HostileMessage> {
  const random = seededRandom(seed);
  for (let n = 0; n < count; n += 1) {
    const message = envelope(random);
    yield {
      method: random.chance(0.97) ? "POST" : random.pick(["GET", "DELETE", "OPTIONS", "HEAD", "PUT", "PATCH"]),
      headers: hostileHeaders(random, message),
      body: writeBody(random, random.chance(0.1) ? batch(random) : message),
    };
  }
}

function envelope(random: SeededRandom): Record<string, unknown> {
  const message: Record<string, unknown> = {
    jsonrpc: "2.0",
    id: random.chance(0.8) ? random.below(1_000) : anything(random, 2),
    method: random.chance(0.6) ? "tools/call" : random.pick(METHODS),
    params: params(random),
  };
  if (random.chance(0.1)) delete message[random.pick(Object.keys(message))];
  if (random.chance(0.1))
    message[random.pick(["jsonrpc", "id", "method", "params", "result", "error"])] = anything(random, 3);
  return message;
}

function params(random: SeededRandom): unknown {
  if (random.chance(0.1)) return anything(random, 3);
  return {
    name: random.chance(0.8) ? random.pick(NAMES) : anything(random, 1),
    arguments: random.chance(0.8) ? input(random) : anything(random, 3),
    ...(random.chance(0.5) && { _meta: meta(random) }),
    ...(random.chance(0.1) && {
      [random.pick(["cursor", "task", "inputResponses", "requestState", "uri"])]: anything(random, 2),
    }),
    ...(random.chance(0.1) && {
      protocolVersion: random.pick(VERSIONS),
      capabilities: {},
      clientInfo: { name: "x", version: "1" },
    }),
    ...(random.chance(0.05) && { notifications: anything(random, 2), requestId: random.below(3) }),
  };
}

function input(random: SeededRandom): Record<string, unknown> {
  return {
    source_id: random.chance(0.7) ? random.pick(TEXTS) : anything(random, 1),
    query: random.chance(0.7) ? random.pick(TEXTS) : anything(random, 2),
    ...(random.chance(0.3) && { filters: anything(random, 3) }),
    ...(random.chance(0.3) && { top_k: anything(random, 1) }),
    ...(random.chance(0.2) && { target: anything(random, 1) }),
    ...(random.chance(0.1) && { [random.pick(TEXTS)]: anything(random, 2) }),
  };
}

function meta(random: SeededRandom): unknown {
  if (random.chance(0.1)) return anything(random, 2);
  const whole: Record<string, unknown> = {
    "io.modelcontextprotocol/protocolVersion": random.chance(0.8) ? "2026-07-28" : random.pick(VERSIONS),
    "io.modelcontextprotocol/clientInfo": random.chance(0.8) ? { name: "x", version: "1" } : anything(random, 2),
    "io.modelcontextprotocol/clientCapabilities": random.chance(0.8) ? {} : anything(random, 2),
    ...(random.chance(0.2) && { progressToken: anything(random, 1) }),
    ...(random.chance(0.1) && { traceparent: random.pick(TEXTS) }),
  };
  if (random.chance(0.1)) delete whole[random.pick(Object.keys(whole))];
  return whole;
}

function batch(random: SeededRandom): unknown[] {
  return Array.from({ length: random.pick([0, 1, 2, 5, 101]) }, () =>
    random.chance(0.7)
      ? { jsonrpc: "2.0", id: random.below(3), method: random.pick(["ping", "tools/list"]) }
      : { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: random.below(3) } },
  );
}

function anything(random: SeededRandom, depth: number): unknown {
  const kind = random.below(depth > 0 ? 9 : 7);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(0.5);
  if (kind === 2) return random.pick([0, -1, 1.5, 1e308, -0, 99_999_999_999, 2 ** 53]);
  if (kind <= 6) return random.pick(TEXTS);
  if (kind === 7) return Array.from({ length: random.below(4) }, () => anything(random, depth - 1));
  return Object.fromEntries(
    Array.from({ length: random.below(4) }, () => [
      random.pick([...TEXTS.slice(0, 4), "__proto__"]),
      anything(random, depth - 1),
    ]),
  );
}

function writeBody(random: SeededRandom, message: unknown): string | undefined {
  const text = JSON.stringify(message);
  const kind = random.below(60);
  if (kind === 0) return undefined;
  if (kind === 1) return text.slice(0, random.below(text.length));
  if (kind === 2) return "[".repeat(50_000);
  if (kind === 3) return `${text}${text}`;
  if (kind === 4) return `{"__proto__":{"method":"ping"},"jsonrpc":"2.0","id":1,"method":"ping"}`;
  if (kind === 5) return `\ufeff${text}`;
  if (kind === 6)
    return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}}`;
  return text;
}

function hostileHeaders(random: SeededRandom, { method, params }: Record<string, unknown>): Record<string, string> {
  const { name } = (params ?? {}) as { name?: unknown };
  const isLatin = (value: unknown): value is string =>
    typeof value === "string" && /^[\x20-\x7e\xa0-\xff]+$/.test(value);
  return {
    ...(random.chance(0.97) && {
      "content-type": random.pick(["application/json", "application/json; charset=utf-8"]),
    }),
    ...(random.chance(0.03) && {
      "content-type": random.pick(["text/plain", "application/json2", ",", "application/"]),
    }),
    accept: random.chance(0.9) ? "application/json, text/event-stream" : random.pick(["*/*", "text/html", ",,", "ü"]),
    ...(random.chance(0.7) && { "mcp-protocol-version": random.chance(0.6) ? "2026-07-28" : random.pick(VERSIONS) }),
    ...(random.chance(0.7) && { "mcp-method": isLatin(method) ? method : "tools/call" }),
    ...(random.chance(0.7) && {
      "mcp-name": isLatin(name) ? name : random.pick(["data_source_query", "=?base64?AA?="]),
    }),
    ...(random.chance(0.1) && { "mcp-session-id": random.pick(["x", "../..", "a".repeat(2_000)]) }),
    ...(random.chance(0.05) && { "last-event-id": "1" }),
    ...(random.chance(0.02) && { origin: random.pick(["https://evil.example", "null", "http://localhost"]) }),
    ...(random.chance(0.02) && { "x-request-id": random.pick(["short", "a".repeat(200), "ok-request-id"]) }),
  };
}
