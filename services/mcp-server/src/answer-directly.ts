import type { MessageHeaders } from "./read-message.ts";
import { SERVER } from "./server-info.ts";
import { hasTool, type ToolCall, type ToolOutcome } from "./tools/index.ts";

/*
 * Nearly all that agents send is `tools/call`, for which the SDK takes 190 µs of CPU and this 15: no objects are made of
 * an answer only to write them out again. It knows no rule of the protocol. It takes what is like a message that the SDK
 * has accepted before, in every header and in all that says who sends it and how; the rest is the tool's name and input.
 */

export interface DirectCall extends ToolCall {
  id: string | number;
  isModern: boolean;
  /** Equal for messages that differ in id and input alone. */
  likeness: string;
}

const CLAIM = "io.modelcontextprotocol/protocolVersion";
const MAX_LIKENESS = 2_000;
const MAX_REMEMBERED = 1_000;

export interface DirectAnswers {
  isKnown(call: DirectCall): boolean;
  /** The SDK has answered one like it. */
  remember(call: DirectCall): void;
}

export function createDirectAnswers(): DirectAnswers {
  const accepted = new Set<string>();
  return {
    isKnown: ({ likeness }) => accepted.has(likeness),
    remember: ({ likeness }) => {
      if (accepted.size >= MAX_REMEMBERED) accepted.clear();
      if (likeness.length <= MAX_LIKENESS) accepted.add(likeness);
    },
  };
}

/** Undefined for anything but one call of a tool, without anything unusual about it. */
export function readDirectCall(headers: MessageHeaders, body: unknown): DirectCall | undefined {
  if (!isRecord(body)) return undefined;
  const { jsonrpc, id, method, params, ...more } = body;
  if (jsonrpc !== "2.0" || method !== "tools/call" || !isRecord(params) || hasKeys(more)) return undefined;
  const { name, arguments: input = {}, _meta: meta = {}, ...furtherParams } = params;
  if (typeof name !== "string" || !hasTool(name) || !isRecord(input) || hasKeys(furtherParams)) return undefined;
  if (!isRecord(meta) || !(typeof id === "string" || Number.isSafeInteger(id))) return undefined;
  const likeness = JSON.stringify([name, "arguments" in params, headers, meta]);
  return { id: id as string | number, name, input, isModern: CLAIM in meta, likeness };
}

const AS_IN_2026 = `,"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":${JSON.stringify(SERVER)}}`;

/** What the SDK would write, to the letter but for the order. */
export function writeDirectAnswer({ id, isModern }: DirectCall, { text, isError }: ToolOutcome): string {
  const content = `"content":[{"type":"text","text":${JSON.stringify(text)}}]`;
  const rest = isError ? `,"isError":true` : `,"structuredContent":${text}`;
  return `{"result":{${content}${rest}${isModern ? AS_IN_2026 : ""}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasKeys(value: object): boolean {
  return Object.keys(value).length > 0;
}
