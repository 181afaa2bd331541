/** A number of JSON takes some 25 characters, with room for line breaks and indentation. */
const BYTES_PER_NUMBER = 48;
const BYTES_BESIDE_VECTORS = 65_536;

/** The vectors of an answer of OpenAI's shape, in the order of the texts. Throws at anything else. */
export async function readVectors(
  response: Response,
  { count, dimensions }: { count: number; dimensions: number },
): Promise<Float32Array[]> {
  const text = await readBounded(response, BYTES_BESIDE_VECTORS + count * dimensions * BYTES_PER_NUMBER);
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  const items = itemsOf(text);
  if (items.length !== count) throw new Error(`the answer has ${items.length} vectors instead of ${count}`);
  for (const [position, item] of items.entries()) {
    const { index = position, embedding } = item as { index?: unknown; embedding?: unknown };
    if (typeof index !== "number" || !(index in vectors) || vectors[index]) {
      throw new Error("the answer has an index twice, or one that was not asked for");
    }
    vectors[index] = typeof embedding === "string" ? fromBase64(embedding) : fromNumbers(embedding);
  }
  return vectors as Float32Array[];
}

async function readBounded(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop early closes the connection.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function itemsOf(text: string): unknown[] {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    // The parser's message quotes what it read.
    throw new Error("the answer is not JSON");
  }
  const { data } = Object(answer) as { data?: unknown };
  if (!Array.isArray(data) || !data.every((item) => typeof item === "object" && item !== null)) {
    throw new Error("the answer has no list of vectors");
  }
  return data;
}

function fromNumbers(values: unknown): Float32Array {
  if (!Array.isArray(values) || !values.every((value) => typeof value === "number")) {
    throw new Error("the answer has a vector that holds something else than numbers");
  }
  return Float32Array.from(values);
}

/** Single precision, least significant byte first. Some providers send it whatever they are asked for. */
function fromBase64(text: string): Float32Array {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length % 4 !== 0) throw new Error("the answer has a vector that is no list of numbers");
  return Float32Array.from({ length: bytes.length / 4 }, (_, n) => bytes.readFloatLE(n * 4));
}
