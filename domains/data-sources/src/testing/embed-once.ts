import { createLocalModel } from "../embedding/local.ts";
import { silentLogger } from "@svc/platform/testing";

/** A process of its own: what the local model writes, and whether it lets the process end. */
const [vector] = await createLocalModel(silentLogger()).embed(["hello"], new AbortController().signal);
process.stdout.write(`${vector?.length}\n`);
