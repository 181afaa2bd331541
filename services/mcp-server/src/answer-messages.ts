import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { createDirectAnswers, readDirectCall, writeDirectAnswer } from "./answer-directly.ts";
import { readHeaders, readJson } from "./read-message.ts";
import { INSTRUCTIONS, SERVER } from "./server-info.ts";
import { hasTool, runTool, TOOL_DEFINITIONS, type ToolCall, type ToolRun } from "./tools/index.ts";

export interface IncomingMessage {
  method: string;
  headers: Record<string, string | string[] | undefined>;
  /** As it came, whether JSON or not. */
  body: string | undefined;
}

export interface MessageAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const JSON_HEADERS = { "content-type": "application/json" };

/** Answers both protocols, that of 2026 and those of 2025, from one definition and without keeping a session. */
export function createAnswering(
  resourceUrl: string,
): (message: IncomingMessage, run: ToolRun) => Promise<MessageAnswer> {
  const answerBySdk = createSdkAnswering();
  const direct = createDirectAnswers();
  return async ({ method, ...message }, run) => {
    const body = readJson(message.body);
    const headers = readHeaders(message.headers);
    const call = method === "POST" ? readDirectCall(headers, body) : undefined;
    if (call && direct.isKnown(call)) {
      return { status: 200, headers: JSON_HEADERS, body: writeDirectAnswer(call, await runTool(call, run)) };
    }
    const answer = await answerBySdk(new Request(resourceUrl, { method, headers }), body, run);
    if (call && answer.status === 200 && answer.body.startsWith('{"result":')) direct.remember(call);
    return answer;
  };
}

function createSdkAnswering(): (request: Request, body: unknown, run: ToolRun) => Promise<MessageAnswer> {
  const runs = new WeakMap<Request, ToolRun>();
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const run = requestInfo && runs.get(requestInfo);
      if (!run) throw new Error("a request that nobody made");
      return serverFor(run);
    },
    { legacy: "reject" },
  );
  return async (request, body, run) => {
    if (request.method === "POST" && body !== undefined && (await isLegacyRequest(request, body))) {
      return answerLegacy(request, body, run);
    }
    runs.set(request, run);
    return readResponse(await modern.fetch(request, body === undefined ? {} : { parsedBody: body }));
  };
}

/** In one piece of JSON: there is nothing to stream, and whether the grant lives is known only at the end. */
async function answerLegacy(request: Request, body: unknown, run: ToolRun): Promise<MessageAnswer> {
  const server = serverFor(run);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await readResponse(await transport.handleRequest(request, { parsedBody: body }));
  } finally {
    await server.close();
  }
}

const AN_HOUR = { ttlMs: 3_600_000, cacheScope: "public" } as const;

const OPTIONS = {
  capabilities: { tools: {} },
  // The same for everybody.
  cacheHints: { "tools/list": AN_HOUR, "server/discover": AN_HOUR },
  instructions: INSTRUCTIONS,
};

function serverFor(run: ToolRun): Server {
  const server = new Server(SERVER, OPTIONS);
  server.setRequestHandler("tools/list", () => ({ tools: TOOL_DEFINITIONS }));
  server.setRequestHandler("tools/call", ({ params }) =>
    callTool({ name: params.name, input: params.arguments ?? {} }, run),
  );
  // Who wants to cancel closes the connection. A batch that cancels a part of itself would never be answered.
  server.removeNotificationHandler("notifications/cancelled");
  return server;
}

async function callTool(call: ToolCall, run: ToolRun): Promise<CallToolResult> {
  if (!hasTool(call.name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "No such tool. Call tools/list.");
  const { text, isError } = await runTool(call, run);
  // Many agents show their model the text alone.
  const content = [{ type: "text" as const, text }];
  return isError ? { content, isError } : { content, structuredContent: JSON.parse(text) };
}

async function readResponse(response: Response): Promise<MessageAnswer> {
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}
