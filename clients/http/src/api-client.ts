import { type Caller, callerSchema, type Problem, problemSchema } from "@svc/contract";
import type { z } from "zod";

interface ApiClientOptions {
  baseUrl: string;
  /** Asked at each call, so that a token that was renewed is used at once. */
  token: () => string | Promise<string>;
  timeoutMs?: number;
  /** Sends a request. For a client that does more than send it, such as renewing its token. */
  fetch?: typeof fetch;
}

export interface ApiClient {
  /** Whom the service takes this token for. */
  whoAmI(): Promise<Caller>;
}

/** The service's own words about what went wrong. */
export class ApiProblem extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = "ApiProblem";
    this.problem = problem;
  }
}

export function createApiClient({ baseUrl, token, timeoutMs = 10_000, ...options }: ApiClientOptions): ApiClient {
  const { fetch: send = fetch } = options;
  const call = async <T>(path: string, answer: z.ZodType<T>): Promise<T> => {
    const response = await send(new URL(path, baseUrl), {
      headers: { accept: "application/json", authorization: `Bearer ${await token()}` },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body: unknown = await response.json().catch(() => undefined);
    const said = `${new URL(path, baseUrl).origin} answered ${response.status} with something else than`;
    if (response.ok) {
      const result = answer.safeParse(body);
      if (result.success) return result.data;
      throw new Error(`${said} was asked for`, { cause: result.error });
    }
    const problem = problemSchema.safeParse(body);
    if (problem.success) throw new ApiProblem(problem.data);
    throw new Error(`${said} a problem`);
  };
  return {
    whoAmI: () => call("/api/me", callerSchema),
  };
}
