import { type ApiClient, createApiClient } from "@svc/http-client";
import { fetchWithRenewal } from "./fetch-with-renewal.ts";
import { createWorkerIdentity, type WorkerIdentity } from "./worker-identity.ts";

export interface WorkerClientOptions {
  /** Address of the API; SVC_API_URL unless given. */
  baseUrl?: string;
  /** Who the worker is; by its environment unless given. */
  identity?: WorkerIdentity;
  /** `process.env` unless given. */
  env?: Record<string, string | undefined>;
  timeoutMs?: number;
}

/** The API as this worker may use it. */
export function createWorkerClient({ env = process.env, timeoutMs, ...options }: WorkerClientOptions = {}): ApiClient {
  const baseUrl = options.baseUrl ?? env["SVC_API_URL"];
  if (!baseUrl) throw new Error("Set SVC_API_URL to the address of the API, such as https://app.example.com.");
  const identity = options.identity ?? createWorkerIdentity({ env });
  return createApiClient({
    baseUrl,
    token: () => identity.token(),
    fetch: fetchWithRenewal(identity),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
}
