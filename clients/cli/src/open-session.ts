import { type ApiClient, createApiClient, type Send } from "@svc/http-client";
import { chooseLogin, type Login } from "./login/choose-login.ts";
import { findLoosePermissions, loginFilePath, readLogins } from "./login/login-file.ts";
import type { GlobalOptions } from "./options.ts";
import { printWarning } from "./output/print.ts";
import { sendOverNode } from "./send-over-node.ts";
import { VERSION } from "./version.ts";

const DEFAULT_TIMEOUT_SECONDS = 30;

export interface Session {
  api: ApiClient;
  login: Login;
}

/** The service, as whom the options, the environment and the saved logins say. */
export function openSession(options: GlobalOptions): Session {
  const login = chooseLogin(options, process.env, () => readLogins(process.env));
  if (login.keptIn === "file") warnOfLoosePermissions();
  return { login, api: openApi(login, options) };
}

export function openApi(
  { apiUrl, apiKey }: Pick<Login, "apiUrl" | "apiKey">,
  { timeout = DEFAULT_TIMEOUT_SECONDS }: GlobalOptions,
  send: Send = sendOverNode,
): ApiClient {
  return createApiClient({
    baseUrl: apiUrl,
    token: () => apiKey,
    timeoutMs: timeout * 1_000,
    // By this the service knows questions that were asked here.
    userAgent: `svc/${VERSION}`,
    send,
  });
}

function warnOfLoosePermissions(): void {
  const path = loginFilePath(process.env);
  const mode = findLoosePermissions(path);
  if (mode)
    printWarning(`others on this machine can read your keys (${path} has mode ${mode}). Run: chmod 600 ${path}`);
}
