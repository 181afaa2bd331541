import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { z } from "zod";

interface Asked {
  model: string;
  input: string[];
  dimensions?: number | undefined;
}
type Behaviour = (asked: Asked, response: ServerResponse) => void;

export interface ProviderStandIn {
  baseUrl: string;
  asked: Asked[];
  /** What it does instead of answering, from now on; nothing brings its good manners back. */
  behave(behaviour?: Behaviour): void;
  stop(): Promise<void>;
}

const requestSchema = z.strictObject({
  model: z.string().min(1),
  input: z.array(z.string().min(1)).min(1).max(2_048),
  encoding_format: z.literal("float"),
  dimensions: z.int().positive().optional(),
});

/** A provider of embeddings on loopback that takes nothing but what OpenAI's API takes, with the key it knows. */
export async function startProviderStandIn(key: string, dimensions: number): Promise<ProviderStandIn> {
  const asked: Asked[] = [];
  let behaviour: Behaviour | undefined;
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== "POST" || request.url !== "/v1/embeddings") return refuse(response, 404, "no such path");
    if (request.headers.authorization !== `Bearer ${key}`) return refuse(response, 401, "wrong key");
    if (request.headers["content-type"] !== "application/json") return refuse(response, 415, "no JSON");
    const body = requestSchema.safeParse(await json(request));
    if (!body.success) return refuse(response, 400, body.error.message);
    asked.push(body.data);
    if (behaviour) behaviour(body.data, response);
    else
      sendVectors(
        response,
        body.data.input.map((text) => vectorOf(text, dimensions)),
      );
  };

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    behave: (next) => {
      behaviour = next;
    },
    stop: () => stop(server),
  };
}

export function sendVectors(response: ServerResponse, vectors: unknown[]): void {
  send(response, 200, {
    object: "list",
    model: "stand-in",
    data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })),
    usage: { prompt_tokens: 1, total_tokens: 1 },
  });
}

export function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** The same for the same text, and of no meaning. */
export function vectorOf(text: string, dimensions: number): number[] {
  let state = Buffer.from(text).reduce((sum, byte) => (sum * 31 + byte) % 2_147_483_647, 7);
  return Array.from({ length: dimensions }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  });
}

function refuse(response: ServerResponse, status: number, message: string): void {
  send(response, status, { error: { message, type: "invalid_request_error" } });
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}
