import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseEnv, promisify } from "node:util";

const run = promisify(execFile);

interface KubeAnswer {
  status: number;
  body: any;
}

export interface KubeApiServer {
  directory: string;
  url: string;
  caFile: string;
  /** As the cluster's administrator, unless with another's token. A text is sent as YAML. */
  call(method: "GET" | "POST" | "DELETE", path: string, body?: object | string, token?: string): Promise<KubeAnswer>;
  /** How many token reviews it was asked for so far. */
  reviewCount(): Promise<number>;
  /** Holds its breath, and breathes on. */
  signal(signal: "SIGSTOP" | "SIGCONT"): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A real kube-apiserver of its own. SVC_KUBE_APISERVER_DIR has two programs: `start DIR` keeps everything in DIR, writes
 * KUBE_URL, KUBE_CA_FILE and KUBE_ADMIN_TOKEN to DIR/env and the process id to DIR/api.pid; `stop DIR` ends it.
 */
export async function startKubeApiServer(): Promise<KubeApiServer> {
  const programs = process.env["SVC_KUBE_APISERVER_DIR"];
  if (!programs) {
    throw new Error("Set SVC_KUBE_APISERVER_DIR to a directory with the programs start and stop of a kube-apiserver.");
  }
  const directory = await mkdtemp(join(tmpdir(), "svc-kube-"));
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    process.kill(Number(await readFile(join(directory, "api.pid"), "utf8")), name);
  };
  const stop = async (): Promise<void> => {
    // Asked to end, it would wait a minute for its store, which ends at the same time.
    await signal("SIGKILL").catch(() => undefined);
    await run(join(programs, "stop"), [directory]);
    // Its last files are written while it ends.
    await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  await run(join(programs, "start"), [directory]).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const env = parseEnv(await readFile(join(directory, "env"), "utf8"));
  const { KUBE_URL: url = "", KUBE_CA_FILE: caFile = "", KUBE_ADMIN_TOKEN: adminToken = "" } = env;
  const ca = await readFile(caFile);

  const send = (method: string, path: string, token: string, body?: object | string): Promise<KubeAnswer> =>
    new Promise((resolve, reject) => {
      const content = typeof body === "object" ? JSON.stringify(body) : (body ?? "");
      const headers = {
        authorization: `Bearer ${token}`,
        accept: "application/json",
        "content-type": typeof body === "string" ? "application/yaml" : "application/json",
        // Node.js sends the body of a DELETE without it, and the next request of the connection is then misread.
        "content-length": Buffer.byteLength(content),
      };
      const outgoing = request(new URL(path, url), { method, ca, headers }, (response) => {
        text(response).then((answer) => {
          const isJson = response.headers["content-type"]?.startsWith("application/json");
          resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(answer) : answer });
        }, reject);
      });
      outgoing.once("error", reject);
      outgoing.end(content);
    });

  return {
    directory,
    url,
    caFile,
    call: (method, path, body, token = adminToken) => send(method, path, token, body),
    reviewCount: async () => {
      const { body } = await send("GET", "/metrics", adminToken);
      const counts = String(body).matchAll(/^apiserver_request_total\{.*resource="tokenreviews".*\} (\d+)$/gm);
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
    },
    signal,
    stop,
  };
}
