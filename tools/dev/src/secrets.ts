import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const NAMES = [
  "JWT_SECRET",
  "JWT_SIGNING_KEY",
  "ACTOR_ASSERTION_SECRET",
  "OPERATOR_TOKEN",
  "SECRETS_KEY",
  "AUTH_SERVICE_DATABASE_PASSWORD",
  "API_GATEWAY_DATABASE_PASSWORD",
  "DEPLOY_API_DATABASE_PASSWORD",
  "WORKER_DATABASE_PASSWORD",
] as const;

export type StackSecrets = Record<(typeof NAMES)[number], string>;

export function makeSecrets(): StackSecrets {
  return Object.fromEntries(NAMES.map((name) => [name, randomBytes(32).toString("hex")])) as StackSecrets;
}

/** The secrets of this checkout's stack: made once, kept beside its data, readable by their owner only. */
export function loadOrMakeSecrets(file: string): StackSecrets {
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Partial<StackSecrets>) : {};
  const secrets = { ...makeSecrets(), ...kept };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(secrets, undefined, 2)}\n`, { mode: 0o600 });
  return secrets;
}
