import { randomBytes } from "node:crypto";
import { AppError } from "@svc/platform/errors";
import { keyedDigest } from "@svc/platform/secrets";
import { counter } from "@svc/platform/telemetry";
import { LRUCache } from "lru-cache";
import { isSearchable } from "./check-vectors.ts";
import type { EmbeddingModels } from "./models.ts";

export interface QuestionVectors {
  /**
   * The vector of a question in pgvector's binary form. It takes no signal: whoever goes away leaves the call to the
   * others who wait for it, and its vector to the next.
   */
  get(model: string, question: string): Promise<Buffer>;
}

interface QuestionVectorsOptions {
  maxBytes?: number;
  timeoutMs?: number;
}

/** Of the key, the list and the buffer's own bookkeeping, roughly. */
const BYTES_PER_ENTRY = 300;

const vectorsServed = counter("svc_question_vectors_total", "Vectors of questions by where they came from.");

/**
 * Keeps the vectors of recent questions, in this process only: a vector tells much of its question, so it is kept no
 * longer than memory lasts, under a digest that no other process can make.
 */
export function createQuestionVectors(models: EmbeddingModels, options: QuestionVectorsOptions = {}): QuestionVectors {
  const { maxBytes = 32 * 1_024 * 1_024, timeoutMs = 10_000 } = options;
  const digest = keyedDigest(randomBytes(32));
  const kept = new LRUCache<string, Buffer>({
    maxSize: maxBytes,
    sizeCalculation: (vector) => vector.byteLength + BYTES_PER_ENTRY,
  });
  const inFlight = new Map<string, Promise<Buffer>>();

  const ask = async (model: string, question: string, key: string): Promise<Buffer> => {
    vectorsServed.add({ source: "provider" });
    const vector = toPgVector(await embed(models, model, question, timeoutMs));
    kept.set(key, vector);
    return vector;
  };

  return {
    get: async (model, question) => {
      const key = digest(`${model}\0${question}`);
      const known = kept.get(key) ?? inFlight.get(key);
      if (known) {
        vectorsServed.add({ source: "cache" });
        return known;
      }
      const asking = ask(model, question, key).finally(() => inFlight.delete(key));
      inFlight.set(key, asking);
      return asking;
    },
  };
}

async function embed(
  models: EmbeddingModels,
  model: string,
  question: string,
  timeoutMs: number,
): Promise<Float32Array> {
  const embedder = models.find(model);
  if (!embedder) {
    throw new AppError(
      "SEARCH_CONFIGURATION_STALE",
      `The model "${model}" of the search configuration is no longer set up on this server. Save the configuration with another, or ask whoever runs this server to set it up again.`,
    );
  }
  const [vector] = await embedder.embed([question], AbortSignal.timeout(timeoutMs));
  if (!vector || !isSearchable(vector)) {
    throw new AppError(
      "EMBEDDING_FAILED",
      `The model "${model}" has no direction for this question. Ask it in other words.`,
    );
  }
  return vector;
}

/** As `vector_recv` reads it: the number of dimensions, two bytes that are zero, then single precision numbers. */
function toPgVector(vector: Float32Array): Buffer {
  // Not from Node's pool of buffers: a piece of it would keep the whole of it.
  const bytes = Buffer.alloc(4 + vector.length * 4);
  bytes.writeInt16BE(vector.length, 0);
  for (let n = 0; n < vector.length; n += 1) bytes.writeFloatBE(vector[n] ?? 0, 4 + n * 4);
  return bytes;
}
