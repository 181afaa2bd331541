import { AppError } from "@svc/platform/errors";

/** Whatever a model answered is searched with only when it can be: one for each text, whole, finite and not zero. */
export function checkVectors(
  vectors: Float32Array[],
  expected: { model: string; dimensions: number; count: number },
): Float32Array[] {
  const wrong = findFault(vectors, expected);
  if (!wrong) return vectors;
  throw new AppError(
    "EMBEDDING_FAILED",
    `The model "${expected.model}" answered with ${wrong}. Whoever runs this server has to look at EMBEDDING_MODELS.`,
  );
}

function findFault(
  vectors: Float32Array[],
  { dimensions, count }: { dimensions: number; count: number },
): string | undefined {
  if (vectors.length !== count) return `${vectors.length} vectors instead of ${count}`;
  for (const vector of vectors) {
    if (vector.length !== dimensions) return `${vector.length} dimensions instead of ${dimensions}`;
    if (!isSearchable(vector)) return "a vector that is zero or holds no finite numbers";
  }
  return undefined;
}

/**
 * Distances are computed in single precision: a vector whose squares vanish or overflow there has a length of zero or
 * infinity, and every distance to it is NaN.
 */
export function isSearchable(vector: Float32Array): boolean {
  let squares = 0;
  for (const value of vector) squares += Math.fround(value * value);
  return squares > 0 && Number.isFinite(Math.fround(squares));
}
