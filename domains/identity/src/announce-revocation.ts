import { REVOCATION_CHANNEL } from "@svc/contract";
import type { IdentityContext } from "./context.ts";

/**
 * Tells every process to forget what it knows of tokens. After the commit, and without waiting for it to succeed:
 * a process that cannot hear us right now trusts nothing that is older than a moment.
 */
export async function announceRevocation({ cache }: Pick<IdentityContext, "cache">): Promise<void> {
  await cache.publish(REVOCATION_CHANNEL, "").catch(() => undefined);
}
