import { ConfigError, readConfig, reportConfigProblems } from "@svc/platform/config";
import { databaseUrlSetting } from "@svc/platform/service";
import { z } from "zod";
import { HELP, runAdmin } from "./admin-commands.ts";

const settings = z.object({ IDENTITY_DATABASE_URL: databaseUrlSetting });
/** EX_CONFIG of sysexits.h, as every program of the service ends with wrong settings. */
const EXIT_CONFIG = 78;

const args = process.argv.slice(2);
if (args.length === 0 || args.includes("--help") || args.includes("-h")) process.stdout.write(HELP);
else process.exitCode = await run();

async function run(): Promise<number> {
  try {
    const { IDENTITY_DATABASE_URL } = readConfig(settings, process.env);
    const { exitCode, problem } = await runAdmin(args, IDENTITY_DATABASE_URL, process.stdout);
    if (problem !== undefined) process.stderr.write(`svc-admin: ${problem}\n`);
    return exitCode;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(reportConfigProblems("svc-admin", error));
    return EXIT_CONFIG;
  }
}
