import { CliError } from "../cli-error.ts";
import { checkApiKey } from "../login/api-key.ts";
import { readApiUrl, sendsInClear } from "../login/api-url.ts";
import { checkContextName, nameForLogin } from "../login/contexts.ts";
import { changeLogins } from "../login/change-logins.ts";
import { loginFilePath } from "../login/login-file.ts";
import { openApi } from "../open-session.ts";
import { formatOf, type GlobalOptions } from "../options.ts";
import { printDocument } from "../output/print-document.ts";
import { printNote, printWarning } from "../output/print.ts";
import { safeLine } from "../output/safe-text.ts";
import { showProgress } from "../output/show-progress.ts";
import { readSecret } from "../read-secret.ts";

export interface LoginOptions extends GlobalOptions {
  force?: boolean;
}

export async function logIn(options: LoginOptions): Promise<void> {
  const given = options.apiUrl ?? process.env["SVC_API_URL"];
  if (!given) throw new CliError("INVALID_REQUEST", "Say where: svc login --api-url https://app.example.com");
  const apiUrl = readApiUrl(given);
  if (options.context !== undefined) checkContextName(options.context);
  if (sendsInClear(apiUrl)) printWarning(`keys sent to ${apiUrl} can be read on the way. Use https if it is offered.`);
  const apiKey = checkApiKey(await findKey(options));
  const caller = await showProgress(`asking ${apiUrl} whose key it is`, openApi({ apiUrl, apiKey }, options).whoAmI());

  const user = caller.user?.email ?? null;
  const login = { api_url: apiUrl, api_key: apiKey, org: caller.org, user };
  let context = "";
  await changeLogins(process.env, (logins) => {
    context = nameForLogin(logins, login, options.context, options.force);
    logins.contexts[context] = login;
    logins.current = context;
  });
  const who = user ?? `a key of kind ${caller.kind}`;
  printNote(safeLine(`Logged in to ${caller.org.name} as ${who} (${caller.role}). Context: ${context}`));
  printNote(`The key is kept in ${loginFilePath(process.env)}, readable by you alone.`);
  warnOfEnvironment();
  const format = formatOf(options);
  if (format === "json" || format === "yaml") {
    printDocument(format, { context, api_url: apiUrl, org: caller.org, user, role: caller.role });
  }
}

async function findKey({ apiKey }: LoginOptions): Promise<string> {
  if (apiKey !== undefined && apiKey !== "-") {
    if (process.stderr.isTTY) {
      printWarning("a key on the command line stays in the shell's history and is seen by ps. Pipe it in instead.");
    }
    return apiKey;
  }
  if (apiKey !== "-" && process.env["SVC_API_KEY"]) return process.env["SVC_API_KEY"];
  return process.stdin.isTTY ? readSecret("API key: ") : readStandardInput();
}

async function readStandardInput(): Promise<string> {
  const patience = setTimeout(() => printNote("Waiting for the API key on standard input …"), 1_000);
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    text += chunk as string;
    // No key is that long, and what is not a key may not end at all.
    if (text.length > 16_384) break;
  }
  clearTimeout(patience);
  return text;
}

function warnOfEnvironment(): void {
  const set = ["SVC_CONTEXT", "SVC_API_URL", "SVC_API_KEY"].filter((name) => process.env[name]);
  if (set.length > 0) printNote(`Note: ${set.join(" and ")} in your environment goes before this login.`);
}
