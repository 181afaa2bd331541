import { AppError } from "@svc/platform/errors";
import { readVectors } from "./read-vectors.ts";

export interface Provider {
  /** Name that configurations and messages use. */
  model: string;
  url: string;
  key: string | undefined;
  /** Name that the provider uses. */
  providerModel: string;
  dimensions: number;
  sendDimensions: boolean;
  queryPrefix: string;
}

/** The provider closed a connection that we took to be open; nothing was answered, and asking again changes nothing. */
const CONNECTION_WAS_CLOSED = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);
const RETRY_SECONDS = 5;
const LONGEST_RETRY_SECONDS = 3_600;

/**
 * Asks an API of the shape of OpenAI's. No message and no cause repeats the text or what the provider wrote, which may
 * quote it.
 */
export async function askProvider(provider: Provider, texts: string[], signal: AbortSignal): Promise<Float32Array[]> {
  const response = await post(provider, texts, signal);
  if (response.status !== 200) {
    await response.body?.cancel();
    throw refusal(provider.model, response);
  }
  try {
    return await readVectors(response, { count: texts.length, dimensions: provider.dimensions });
  } catch (error) {
    signal.throwIfAborted();
    throw new AppError(
      "EMBEDDING_FAILED",
      `The provider of the model "${provider.model}" answered with something that is no list of vectors. Whoever runs this server has to look at base_url in EMBEDDING_MODELS.`,
      { cause: error },
    );
  }
}

async function post(provider: Provider, texts: string[], signal: AbortSignal): Promise<Response> {
  const send = (): Promise<Response> =>
    fetch(`${provider.url}/embeddings`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...(provider.key !== undefined && { authorization: `Bearer ${provider.key}` }),
      },
      body: JSON.stringify({
        model: provider.providerModel,
        input: texts.map((text) => provider.queryPrefix + text),
        encoding_format: "float",
        ...(provider.sendDimensions && { dimensions: provider.dimensions }),
      }),
      // Followed, it would take the question to an address that nobody set up.
      redirect: "manual",
      signal,
    });
  try {
    return await send().catch((error: unknown) => {
      if (signal.aborted || !CONNECTION_WAS_CLOSED.has(codeOf(error))) throw error;
      return send();
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new AppError(
      "EMBEDDING_FAILED",
      `The provider of the model "${provider.model}" cannot be reached right now. Try again shortly.`,
      { retryAfterSeconds: RETRY_SECONDS, cause: (error as Error).cause ?? error },
    );
  }
}

function codeOf(error: unknown): string {
  return String(((error as Error).cause as { code?: unknown } | undefined)?.code);
}

function refusal(model: string, { status, headers }: Response): AppError {
  const who = `The provider of the model "${model}"`;
  const cause = new Error(`the provider answered ${status}`);
  if (status === 429) {
    const retryAfterSeconds = readRetryAfter(headers.get("retry-after"));
    return new AppError("UNAVAILABLE", `${who} takes no more questions right now. Try again shortly.`, {
      retryAfterSeconds,
      cause,
    });
  }
  if (status >= 500) {
    return new AppError("EMBEDDING_FAILED", `${who} failed. Try again shortly.`, {
      retryAfterSeconds: RETRY_SECONDS,
      cause,
    });
  }
  return new AppError("EMBEDDING_FAILED", `${who} ${reasonOf(status)}`, { cause });
}

function reasonOf(status: number): string {
  if (status === 401 || status === 403) {
    return "refused this server's key. Whoever runs this server has to look at the key in EMBEDDING_MODELS.";
  }
  if (status === 400 || status === 413 || status === 422) {
    return `did not take the question (status ${status}). It may be longer than the model reads: try a shorter one.`;
  }
  return `did not answer as expected (status ${status}). Whoever runs this server has to look at base_url and model in EMBEDDING_MODELS.`;
}

/** Seconds, or the date of RFC 9110 section 10.2.3. */
function readRetryAfter(header: string | null): number {
  const seconds = /^\d+$/.test(header ?? "") ? Number(header) : (Date.parse(header ?? "") - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? RETRY_SECONDS : Math.min(Math.max(Math.ceil(seconds), 1), LONGEST_RETRY_SECONDS);
}
