import { readFileSync } from "node:fs";
import type { z } from "zod";
import { isSecret } from "./settings.ts";

type Environment = Record<string, string | undefined>;
type SettingsShape = Record<string, z.ZodType>;

/** Every wrong setting at once, by name and without any value. */
export class ConfigError extends Error {
  readonly problems: { setting: string; message: string }[];

  constructor(problems: { setting: string; message: string }[]) {
    super(problems.map(({ setting, message }) => `${setting} ${message}`).join("; "));
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** Reads the settings of a service from its environment; an empty variable counts as not set. */
export function readConfig<S extends SettingsShape>(schema: z.ZodObject<S>, env: Environment): z.infer<typeof schema> {
  const problems: ConfigError["problems"] = [];
  const values: Environment = {};
  for (const [setting, type] of Object.entries(schema.shape)) {
    try {
      values[setting] = readSetting(setting, isSecret(type), env);
    } catch (error) {
      problems.push({ setting, message: (error as Error).message });
    }
  }

  const parsed = schema.safeParse(values);
  if (!parsed.success) {
    const unreadable = new Set(problems.map(({ setting }) => setting));
    for (const issue of parsed.error.issues) {
      const setting = issue.path.join(".");
      if (!unreadable.has(setting)) problems.push({ setting, message: issue.message });
    }
  }
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems);
  return parsed.data;
}

function readSetting(name: string, isSecretSetting: boolean, env: Environment): string | undefined {
  const value = env[name] === "" ? undefined : env[name];
  const file = isSecretSetting ? env[`${name}_FILE`] : undefined;
  if (!file) return value;
  if (value !== undefined) throw new Error(`is set twice: keep either ${name} or ${name}_FILE`);
  try {
    // Editors and `kubectl create secret` leave a final newline that is no part of the secret.
    return readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } catch {
    throw new Error(`cannot be read: ${name}_FILE names a file that does not open`);
  }
}

export function reportConfigProblems(service: string, error: ConfigError): string {
  const width = Math.max(...error.problems.map(({ setting }) => setting.length));
  const count = error.problems.length;
  const lines = error.problems.map(({ setting, message }) => `  ${setting.padEnd(width)}  ${message}`);
  return [
    `${service} cannot start: ${count} ${count === 1 ? "setting is" : "settings are"} wrong.`,
    ...lines,
    "Every setting is described in docs/configuration.md.",
    "",
  ].join("\n");
}
