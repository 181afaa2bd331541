import { createHash } from "node:crypto";
import type { Embedder, EmbeddingModels } from "../embedding/models.ts";

/** Texts with the same words are near each other: enough of a model to test with, and the same everywhere. */
export function wordVector(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? [text]) {
    const digest = createHash("sha256").update(word).digest();
    // Several places for each word, so that different words rarely share all of theirs.
    for (let n = 0; n < 4; n += 1) {
      const place = digest.readUInt16BE(n * 2) % dimensions;
      vector[place] = (vector[place] ?? 0) + 1;
    }
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

/** As SQL takes it. */
export function vectorLiteral(vector: Float32Array): string {
  return `[${vector.join(",")}]`;
}

export function wordModels(
  dimensionsByModel: Record<string, number> = { words: 64 },
): EmbeddingModels & { asked: string[] } {
  const asked: string[] = [];
  const embedders = new Map<string, Embedder>(
    Object.entries(dimensionsByModel).map(([model, dimensions]) => [
      model,
      {
        model,
        dimensions,
        isLocal: model.startsWith("local"),
        embed: async (texts) => {
          asked.push(...texts);
          return texts.map((text) => wordVector(text, dimensions));
        },
      },
    ]),
  );
  return {
    asked,
    find: (model) => embedders.get(model),
    names: () => [...embedders.keys()],
    close: async () => undefined,
  };
}
