import { checkMachine } from "../doctor/check-machine.ts";
import { checkService } from "../doctor/check-service.ts";
import type { Finding } from "../doctor/finding.ts";
import { CliError } from "../cli-error.ts";
import { chooseLogin, type Login } from "../login/choose-login.ts";
import { readLogins } from "../login/login-file.ts";
import { formatOf, type GlobalOptions } from "../options.ts";
import { printDocument } from "../output/print-document.ts";
import { paint, printData, type Style } from "../output/print.ts";
import { safeLine } from "../output/safe-text.ts";
import { showProgress } from "../output/show-progress.ts";

const STYLES: Record<Finding["level"], Style> = { ok: "green", warn: "yellow", fail: "red", skip: "dim" };

/** Answers the exit code: 1 if something is broken. */
export async function runDoctor(options: GlobalOptions): Promise<number> {
  const findings = await showProgress("looking", examine(options));
  const isHealthy = findings.every(({ level }) => level !== "fail");
  const format = formatOf(options);
  if (format === "json" || format === "yaml") printDocument(format, { healthy: isHealthy, checks: findings });
  else printData(findings.map(inWords).join(""));
  return isHealthy ? 0 : 1;
}

async function examine(options: GlobalOptions): Promise<Finding[]> {
  const machine = checkMachine(process.env, process.versions.node);
  const { finding, login } = checkLogin(options);
  return [...machine, finding, ...(await checkService(login, options))];
}

function checkLogin(options: GlobalOptions): { finding: Finding; login?: Login } {
  try {
    const login = chooseLogin(options, process.env, () => readLogins(process.env));
    const from = login.context === undefined ? "no saved context" : `context ${login.context}`;
    return { finding: { check: "login", level: "ok", message: `${from}, ${login.apiUrl}` }, login };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { finding: { check: "login", level: "fail", message: error.message } };
  }
}

function inWords({ check, level, message, advice }: Finding): string {
  const line = `${paint(STYLES[level], level.padEnd(4))}  ${check.padEnd(10)}  ${safeLine(message)}\n`;
  return advice === undefined ? line : `${line}${" ".repeat(18)}${safeLine(advice)}\n`;
}
