import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { text } from "node:stream/consumers";

export interface KubeConnection {
  apiServer: string;
  caFile: string;
  tokenFile: string;
}

interface KubeCall {
  method: "GET" | "POST";
  path: string;
  body?: object;
  signal: AbortSignal;
}

/** What the API server answered where something else was needed. */
export class KubeAnswer extends Error {
  readonly status: number;

  constructor({ method, path }: KubeCall, status: number) {
    super(`Kubernetes answered ${status} to ${method} ${path}`);
    this.name = "KubeAnswer";
    this.status = status;
  }
}

export type KubeRequest = (call: KubeCall) => Promise<unknown>;

/*
 * Plain node:https for the two addresses that are needed. @kubernetes/client-node takes 0.6 to 1 s and 90 MB to load,
 * and the built-in fetch trusts no certificate authority of one's own without another dependency.
 */
export function createKubeRequest({ apiServer, caFile, tokenFile }: KubeConnection): KubeRequest {
  // Idle connections end before the API server ends them. The pool tells connections apart by `ca`.
  const agent = new Agent({ keepAlive: true, maxSockets: 32, timeout: 30_000 });

  return async (call) => {
    // Read each time, because the kubelet replaces both; a token is asked about once a minute at most.
    const [ca, credential] = await Promise.all([readFile(caFile, "utf8"), readFile(tokenFile, "utf8")]);
    const send = (): Promise<{ status: number; body: string }> =>
      exchange(new URL(call.path, apiServer), agent, ca, credential.trim(), call);
    const { status, body } = await send().catch((error: unknown) => {
      // A kept connection may have been closed while the request was on its way. Asking twice changes nothing there.
      if (error instanceof ClosedWhileIdle) return send();
      throw error;
    });
    if (status !== 200 && status !== 201) throw new KubeAnswer(call, status);
    return readJson(body);
  };
}

class ClosedWhileIdle extends Error {}

function exchange(
  url: URL,
  agent: Agent,
  ca: string,
  credential: string,
  { method, body, signal }: KubeCall,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      accept: "application/json",
      authorization: `Bearer ${credential}`,
      ...(body && { "content-type": "application/json" }),
    };
    const outgoing = request(url, { method, agent, ca, signal, headers }, (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: answer }), reject);
    });
    outgoing.once("error", (error: NodeJS.ErrnoException) => {
      const wasIdle = outgoing.reusedSocket && error.code === "ECONNRESET";
      reject(wasIdle ? new ClosedWhileIdle(error.message, { cause: error }) : error);
    });
    outgoing.end(body && JSON.stringify(body));
  });
}

/** Undefined for an error page of a proxy in between. */
function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
