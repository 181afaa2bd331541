import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

export interface EmbeddingStandIn {
  /** To be given as base_url. */
  url: string;
  close(): void;
}

/** The same text has the same vector, here and at the stand-in. */
export function standInVector(text: string, dimensions: number): number[] {
  let state = Buffer.from(text).reduce((hash, byte) => (Math.imul(hash, 31) + byte) | 0, 7);
  return Array.from({ length: dimensions }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  });
}

/** Speaks as an OpenAI-compatible provider does, and knows a vector for any text. */
export async function startEmbeddingStandIn(dimensions: number): Promise<EmbeddingStandIn> {
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { input, model } = body as { input: string[]; model: string };
      const isKnown = request.method === "POST" && request.url === "/v1/embeddings" && Array.isArray(input);
      const data = isKnown
        ? input.map((text, index) => ({ object: "embedding", index, embedding: standInVector(text, dimensions) }))
        : [];
      response.writeHead(isKnown ? 200 : 404, { "content-type": "application/json" });
      response.end(JSON.stringify({ object: "list", data, model, usage: { prompt_tokens: 1, total_tokens: 1 } }));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
