import { type ApiClient, createApiClient, type Send } from "@svc/http-client";
import { AppError } from "@svc/platform/errors";
import type { Agent } from "./authenticate.ts";
import { sendOverExchange } from "./send-over-exchange.ts";

/** One HTTP request of an agent, while it is answered. */
export interface AgentCall {
  /** The gateway, in the agent's name. */
  api: ApiClient;
  /** Throws UNAUTHENTICATED unless what the agent stands on was found alive during this very call. */
  checkAlive(): Promise<void>;
}

export interface GatewayOptions {
  gatewayUrl: string;
  /** Says that it is a service of ours that calls, which is not to be turned away for what it passes on. */
  serviceHeaders: () => Promise<Record<string, string>>;
  /** Longer than the gateway's own limits, so that it is the gateway that says what took so long. */
  timeoutMs: number;
}

const UNAUTHENTICATED = 401;

export function openAgentCall(
  agent: Agent,
  { requestId, signal }: { requestId: string; signal: AbortSignal },
  { gatewayUrl, serviceHeaders, timeoutMs }: GatewayOptions,
): AgentCall {
  let isAsked = false;
  let isRefused = false;
  const sendAndListen: Send = async (url, request) => {
    isAsked = true;
    const headers = { ...request.headers, "x-request-id": requestId, ...(await serviceHeaders()) };
    const response = await sendOverExchange(url, { ...request, headers });
    if (response.status === UNAUTHENTICATED) isRefused = true;
    return response;
  };
  return {
    api: createApiClient({
      baseUrl: gatewayUrl,
      token: () => agent.credential(),
      send: sendAndListen,
      userAgent: "svc-mcp-server",
      timeoutMs,
      signal,
    }),
    checkAlive: async () => {
      if (isRefused) throw new AppError("UNAUTHENTICATED", "The agent is no longer connected. Connect it again.");
      // The gateway checks each request itself and gives a dead grant nothing, so who asked it need not ask again.
      if (!isAsked) await agent.checkAlive();
    },
  };
}
