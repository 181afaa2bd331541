import { buildConsole } from "@svc/dev";

/** Before all files, two of which would else find it missing and build it at the same time. */
export default async function buildConsoleOnce(): Promise<void> {
  await buildConsole();
}
