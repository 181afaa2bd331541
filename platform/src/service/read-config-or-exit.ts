import type { z } from "zod";
import { ConfigError, readConfig, reportConfigProblems } from "../config/index.ts";

/** EX_CONFIG of sysexits.h. */
const EXIT_CONFIG = 78;

export function readConfigOrExit<S extends z.ZodObject>(name: string, settings: S): z.infer<S> {
  try {
    return readConfig(settings, process.env) as z.infer<S>;
  } catch (error) {
    return exitOnConfigError(name, error);
  }
}

/** Says what is wrong with the settings and ends; any other error goes on its way. */
export function exitOnConfigError(name: string, error: unknown): never {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(reportConfigProblems(name, error));
  process.exit(EXIT_CONFIG);
}
