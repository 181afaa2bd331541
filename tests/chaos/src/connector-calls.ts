import { type ErrorCode, ERRORS } from "@svc/contract";
import type { Tokens, TokenServer } from "./connector-oauth.ts";

/** What came of a call, as a client sees it. */
export type Outcome<T = unknown> =
  | { kind: "done"; value: T }
  /** No answer, or one that says to try again. It may have been carried out or not. */
  | { kind: "away" }
  /** The credential, or what was to be ended, is not good any more. */
  | { kind: "refused" }
  /** What must never be answered, whoever is killed. */
  | { kind: "broken"; why: string };

const PROTOCOL = "2026-07-28";
/** Shorter than the service stays frozen, so that agents lose patience and ask again. */
const PATIENCE_MS = 10_000;

const AWAY: Outcome<never> = { kind: "away" };
const REFUSED: Outcome<never> = { kind: "refused" };

export async function callTool(mcpUrl: string, token: string, name: string, input: object): Promise<Outcome> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": PROTOCOL,
    "io.modelcontextprotocol/clientInfo": { name: "chaos", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name, arguments: input, _meta: meta };
  const answer = await send(mcpUrl, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": PROTOCOL,
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  if (answer.status === 401) return REFUSED;
  if (answer.status !== 200) return awayOrBroken(name, answer);
  const { result } = JSON.parse(answer.text);
  if (result && !result.isError) return { kind: "done", value: result.structuredContent };
  // Errors inside the protocol come with status 200, and begin with our own code.
  const words = String(result?.content?.[0]?.text);
  const [code = ""] = words.split(":");
  return awayOrBroken(name, { status: code in ERRORS ? ERRORS[code as ErrorCode].status : 200, text: answer.text });
}

export async function renewTokens(
  { token_endpoint }: TokenServer,
  client_id: string,
  refresh_token: string,
): Promise<Outcome<Tokens>> {
  const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token, client_id });
  const answer = await send(token_endpoint, { method: "POST", body });
  if (answer.status === 200) return { kind: "done", value: JSON.parse(answer.text) as Tokens };
  if (answer.status === 400 && answer.text.includes('"invalid_grant"')) return REFUSED;
  return awayOrBroken("renew", answer);
}

export async function disconnect(base: string, token: string, grantId: string): Promise<Outcome> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await send(new URL(`/api/v1/grants/${grantId}`, base).href, { method: "DELETE", headers });
  if (answer.status === 204) return { kind: "done", value: undefined };
  return answer.status === 404 ? REFUSED : awayOrBroken("disconnect", answer);
}

interface Answer {
  /** 0: there was none. */
  status: number;
  text: string;
}

async function send(address: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(address, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
    return { status: response.status, text: await response.text() };
  } catch {
    return { status: 0, text: "" };
  }
}

function awayOrBroken(what: string, { status, text }: Answer): Outcome<never> {
  return [0, 503, 504].includes(status) ? AWAY : { kind: "broken", why: `${what}: ${status} ${text}` };
}
