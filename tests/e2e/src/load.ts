import { Agent, request } from "node:http";

export interface Outcome {
  /** Status of the answer, or the code of the error that came in its place. */
  result: number | string;
  contentType: string | undefined;
  body: string;
  ms: number;
  /** When it ended. */
  at: number;
}

export interface Load {
  outcomes: Outcome[];
  stop(): Promise<Outcome[]>;
}

interface LoadOptions {
  url: string;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: () => string;
  connections: number;
  /** At most this many requests: a test that goes wrong must not go on for ever. */
  atMost?: number;
}

/** Requests one after the other on each of some kept-alive connections, until told to stop. */
export function startLoad({
  url,
  method = "GET",
  headers = {},
  body,
  connections,
  atMost = 200_000,
}: LoadOptions): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const outcomes: Outcome[] = [];
  const stopping = new AbortController();

  const one = (): Promise<void> =>
    new Promise((resolve) => {
      const startedAt = performance.now();
      const end = (result: number | string, contentType?: string, text = ""): void => {
        outcomes.push({ result, contentType, body: text, ms: performance.now() - startedAt, at: performance.now() });
        resolve();
      };
      const outgoing = request(url, { agent, method, headers, timeout: 30_000 }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          end(response.statusCode ?? 0, response.headers["content-type"], Buffer.concat(chunks).toString()),
        );
        response.on("error", (error: NodeJS.ErrnoException) => end(`answer cut off: ${error.code}`));
      });
      outgoing.on("timeout", () => outgoing.destroy(new Error("no answer in 30 s")));
      outgoing.on("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
      outgoing.end(body?.());
    });

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted && outcomes.length < atMost) {
      await one();
      // A refused connection answers at once; without a pause the loop would do nothing but be refused.
      if (typeof outcomes.at(-1)?.result === "string") await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const loops = Array.from({ length: connections }, loop);
  return {
    outcomes,
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
      agent.destroy();
      return outcomes;
    },
  };
}

export function tally(outcomes: Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { result } of outcomes) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}
