import { type ApiClient, createApiClient } from "@svc/http-client";
import { forgetToken, tokenFor } from "./tokens.ts";

/** Loading the sample embeds its rows, which takes an offline model some seconds. */
const TIMEOUT_MS = 40_000;
const clients = new Map<string, ApiClient>();

/** The API as the signed-in person has it in one organization. */
export function orgApi(org: string): ApiClient {
  let client = clients.get(org);
  if (!client) {
    client = createApiClient({
      baseUrl: location.origin,
      takeAnswersUnchecked: true,
      timeoutMs: TIMEOUT_MS,
      token: () => tokenFor(org),
      fetch: (address, init) => fetchRenewing(org, address, init),
    });
    clients.set(org, client);
  }
  return client;
}

/** A token may end before its time, when a role was changed or the session ended elsewhere: one more try with a new one. */
async function fetchRenewing(org: string, ...[address, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(address, init);
  if (response.status !== 401) return response;
  forgetToken(org);
  const headers = new Headers(init?.headers);
  headers.set("authorization", `Bearer ${await tokenFor(org)}`);
  return fetch(address, { ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
}
