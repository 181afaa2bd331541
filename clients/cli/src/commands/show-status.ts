import type { Caller } from "@svc/contract";
import { CliError } from "../cli-error.ts";
import { explainFailure } from "../explain-failure.ts";
import type { Login } from "../login/choose-login.ts";
import { loginFilePath } from "../login/login-file.ts";
import { openSession, type Session } from "../open-session.ts";
import { formatOf, type GlobalOptions } from "../options.ts";
import { printDocument } from "../output/print-document.ts";
import { printData, printNote } from "../output/print.ts";
import { renderPairs } from "../output/render-table.ts";
import { showProgress } from "../output/show-progress.ts";
import { readableTime } from "../output/time.ts";

interface Status {
  /** Null where the service could not be asked. */
  logged_in: boolean | null;
  context?: string | null;
  api_url?: string;
  key?: { kept_in: Login["keptIn"]; path?: string };
  user?: Caller["user"] | null;
  org?: Caller["org"];
  role?: Caller["role"];
  kind?: Caller["kind"];
  expires_at?: string | null;
  problem?: string;
}

/** Answers the exit code. */
export async function showStatus(options: GlobalOptions): Promise<number> {
  const { status, exit, advice } = await findStatus(options);
  const format = formatOf(options);
  if (format === "json" || format === "yaml") printDocument(format, status);
  else printData(renderPairs(inWords(status)));
  if (advice !== undefined) printNote(advice);
  return exit;
}

async function findStatus(options: GlobalOptions): Promise<{ status: Status; exit: number; advice?: string }> {
  let session: Session;
  try {
    session = openSession(options);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== "UNAUTHENTICATED") throw error;
    const { exit, problem } = await explainFailure(error);
    return { status: { logged_in: false }, exit, advice: problem.detail };
  }
  const { api, login } = session;
  const known = { context: login.context ?? null, api_url: login.apiUrl, key: whereKept(login) };
  try {
    const { user = null, org, role, kind, expires_at } = await showProgress(`asking ${login.apiUrl}`, api.whoAmI());
    return { status: { logged_in: true, ...known, user, org, role, kind, expires_at }, exit: 0 };
  } catch (error) {
    const { problem, exit } = await explainFailure(error);
    const status = { ...known, problem: problem.detail };
    if (problem.code !== "UNAUTHENTICATED") return { status: { logged_in: null, ...status }, exit };
    return {
      status: { logged_in: false, ...status },
      exit,
      advice: `Log in again: svc login --api-url ${login.apiUrl}`,
    };
  }
}

function whereKept({ keptIn }: Login): NonNullable<Status["key"]> {
  return keptIn === "file" ? { kept_in: keptIn, path: loginFilePath(process.env) } : { kept_in: keptIn };
}

function inWords(status: Status): [string, string][] {
  const { logged_in, context, api_url, key, user, org, role, kind, expires_at, problem } = status;
  const lines: [string, string | undefined][] = [
    [
      "Logged in",
      logged_in === true ? (user?.email ?? `with a key of kind ${kind}`) : logged_in === false ? "no" : "unknown",
    ],
    ["Organization", org && `${org.name} (${org.slug})`],
    ["Role", role],
    ["Context", context ?? undefined],
    ["Address", api_url],
    [
      "Key",
      key &&
        { file: `in ${key.path}`, environment: "in SVC_API_KEY", command_line: "given with --api-key" }[key.kept_in],
    ],
    ["Expires", expires_at === undefined ? undefined : expires_at === null ? "never" : readableTime(expires_at)],
    ["Problem", problem],
  ];
  return lines.filter((line): line is [string, string] => line[1] !== undefined);
}
