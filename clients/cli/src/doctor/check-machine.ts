import { statSync } from "node:fs";
import { dirname } from "node:path";
import { findLoosePermissions, loginFilePath } from "../login/login-file.ts";
import type { Environment } from "../options.ts";
import type { Finding } from "./finding.ts";

/** As package.json asks for. */
const OLDEST_NODE = [22, 12] as const;
/** From which Node.js on a proxy of the environment is used. */
const OLDEST_NODE_WITH_PROXY = [24, 5] as const;

/** What can be seen without asking anyone. */
export function checkMachine(env: Environment, nodeVersion: string): Finding[] {
  return [checkNode(nodeVersion), checkLoginFile(env), checkProxy(env, nodeVersion)];
}

function checkNode(version: string): Finding {
  if (isAtLeast(version, OLDEST_NODE)) return { check: "node", level: "ok", message: `v${version}` };
  return {
    check: "node",
    level: "fail",
    message: `v${version} is older than svc can run on`,
    advice: `Install Node.js ${OLDEST_NODE.join(".")} or later.`,
  };
}

function checkLoginFile(env: Environment): Finding {
  const check = "login file";
  const path = loginFilePath(env);
  if (!statSync(path, { throwIfNoEntry: false })) return { check, level: "ok", message: `${path} (none yet)` };
  for (const [entry, mode] of [
    [path, "600"],
    [dirname(path), "700"],
  ] as const) {
    const loose = findLoosePermissions(entry);
    if (loose) {
      return {
        check,
        level: "warn",
        message: `others can use ${entry} (mode ${loose})`,
        advice: `Run: chmod ${mode} ${entry}`,
      };
    }
  }
  return { check, level: "ok", message: `${path}, readable by you alone` };
}

function checkProxy(env: Environment, nodeVersion: string): Finding {
  const check = "proxy";
  const names = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].filter((name) => env[name]);
  if (names.length === 0) return { check, level: "ok", message: "none" };
  if (isAtLeast(nodeVersion, OLDEST_NODE_WITH_PROXY)) {
    return { check, level: "ok", message: `requests go through the proxy of ${names.join(", ")}` };
  }
  return {
    check,
    level: "warn",
    message: `${names.join(", ")} is set, which Node.js v${nodeVersion} does not use`,
    advice: `Install Node.js ${OLDEST_NODE_WITH_PROXY.join(".")} or later.`,
  };
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ourMajor = 0, ourMinor = 0] = version.split(".").map(Number);
  return ourMajor > major || (ourMajor === major && ourMinor >= minor);
}
