import type { Caller } from "@svc/contract";
import { ConnectionFailed, type Send } from "@svc/http-client";
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { adviceOn, explainFailure } from "../explain-failure.ts";
import type { Login } from "../login/choose-login.ts";
import { openApi } from "../open-session.ts";
import type { GlobalOptions } from "../options.ts";
import { readableTime } from "../output/time.ts";
import { sendOverNode } from "../send-over-node.ts";
import type { Finding } from "./finding.ts";

const TOLERATED_SKEW_SECONDS = 60;
const SOON_MS = 7 * 24 * 3_600_000;

/** The way to the service, and what it says about the key. */
export async function checkService(login: Login | undefined, options: GlobalOptions): Promise<Finding[]> {
  if (!login) return skip("there is no login to look at", "name", "connection", "key", "clock");
  const name = await checkName(new URL(login.apiUrl).hostname);
  if (name.level === "fail") return [name, ...skip("the name is not known", "connection", "key", "clock")];
  const reply = watchReply();
  const outcome = await openApi(login, options, reply.send)
    .whoAmI()
    .catch((error: unknown) => error);
  const connection = await checkConnection(login.apiUrl, reply.milliseconds, outcome);
  if (connection.level === "fail") return [name, connection, ...skip("there is no connection", "key", "clock")];
  return [name, connection, await checkKey(outcome, login), checkClock(reply.date)];
}

function skip(message: string, ...checks: Finding["check"][]): Finding[] {
  return checks.map((check) => ({ check, level: "skip", message }));
}

async function checkName(hostname: string): Promise<Finding> {
  const host = hostname.replaceAll(/[[\]]/g, "");
  if (isIP(host)) return { check: "name", level: "ok", message: `${host} is an address already` };
  try {
    const { address } = await lookup(host);
    return { check: "name", level: "ok", message: `${host} is ${address}` };
  } catch {
    const isProxied = Boolean(process.env["HTTPS_PROXY"] ?? process.env["https_proxy"]);
    const advice = "Is the address right? Are you on the network that knows it?";
    // A proxy may know names that this machine does not.
    return { check: "name", level: isProxied ? "warn" : "fail", message: `${host} cannot be resolved`, advice };
  }
}

function watchReply(): { send: Send; milliseconds?: number; date?: string | null } {
  const reply: { send: Send; milliseconds?: number; date?: string | null } = {
    send: async (url, request) => {
      const startedAt = performance.now();
      const response = await sendOverNode(url, request);
      reply.milliseconds = Math.round(performance.now() - startedAt);
      reply.date = response.headers.get("date");
      return response;
    },
  };
  return reply;
}

async function checkConnection(apiUrl: string, milliseconds: number | undefined, outcome: unknown): Promise<Finding> {
  if (milliseconds !== undefined) {
    return { check: "connection", level: "ok", message: `${apiUrl} answered in ${milliseconds} ms` };
  }
  if (outcome instanceof ConnectionFailed) {
    return { check: "connection", level: "fail", message: outcome.message, advice: adviceOn(outcome) };
  }
  const { problem } = await explainFailure(outcome);
  return { check: "connection", level: "fail", message: problem.detail };
}

async function checkKey(outcome: unknown, { apiUrl }: Login): Promise<Finding> {
  const check = "key";
  if (outcome instanceof Error) {
    const { problem, isFromService } = await explainFailure(outcome);
    const finding: Finding = { check, level: "fail", message: problem.detail };
    if (!isFromService) return { ...finding, advice: "Is this the address of svc?" };
    const isRefused = problem.code === "UNAUTHENTICATED";
    return isRefused ? { ...finding, advice: `Log in again: svc login --api-url ${apiUrl}` } : finding;
  }
  const { user, org, role, expires_at } = outcome as Caller;
  const message = `${user?.email ?? "no person"}, ${role} of ${org.name}`;
  if (expires_at === null) return { check, level: "ok", message };
  const expiring = `${message}; expires ${readableTime(expires_at)}`;
  if (Date.parse(expires_at) - Date.now() > SOON_MS) return { check, level: "ok", message: expiring };
  return { check, level: "warn", message: expiring, advice: "Create another in Settings, API tokens." };
}

function checkClock(date: string | null | undefined): Finding {
  const check = "clock";
  const theirs = Date.parse(date ?? "");
  if (Number.isNaN(theirs)) return { check, level: "skip", message: "the service did not say what time it is" };
  // The header has whole seconds.
  const skew = Math.round((Date.now() - theirs) / 1_000);
  if (Math.abs(skew) <= TOLERATED_SKEW_SECONDS)
    return { check, level: "ok", message: "agrees with that of the service" };
  const message = `this machine is ${Math.abs(skew)} s ${skew > 0 ? "ahead of" : "behind"} the service`;
  return { check, level: "warn", message, advice: "Set the clock, best by NTP." };
}
