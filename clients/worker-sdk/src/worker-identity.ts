import { openTokenFile } from "./token-file.ts";

type Environment = Record<string, string | undefined>;

export interface WorkerIdentityOptions {
  /** `process.env` unless given. */
  env?: Environment;
  /** Goes before SVC_WORKLOAD_TOKEN_FILE. */
  tokenFile?: string;
}

export interface WorkerIdentity {
  /** The token to present now. Ask for it at each call and do not keep it: it is replaced while the worker runs. */
  token(): Promise<string>;
  /** The same, read anew; for when the last one was refused. */
  renew(): Promise<string>;
}

/** Where the pod's volume is mounted by convention. */
const DEFAULT_TOKEN_FILE = "/var/run/secrets/svc/token";

export function createWorkerIdentity({ env = process.env, tokenFile }: WorkerIdentityOptions = {}): WorkerIdentity {
  const path = tokenFile ?? (env["SVC_WORKLOAD_TOKEN_FILE"] || DEFAULT_TOKEN_FILE);
  const file = openTokenFile(path);
  const unless = async (read: () => Promise<string>): Promise<string> =>
    env["SERVER_API_TOKEN"]?.trim() ||
    read().catch((error: NodeJS.ErrnoException) => {
      throw error.code === undefined ? error : new Error(adviceFor(path, error.code), { cause: error });
    });
  return {
    token: () => unless(file.read),
    renew: () => unless(file.readAgain),
  };
}

function adviceFor(path: string, code: string): string {
  if (code !== "ENOENT") return `The token file ${path} cannot be read (${code}).`;
  return (
    `This worker has no identity: there is no token file ${path}. ` +
    "In Kubernetes, mount a projected service account token there, or name another file in SVC_WORKLOAD_TOKEN_FILE. " +
    "Elsewhere, set SERVER_API_TOKEN to an API token."
  );
}
