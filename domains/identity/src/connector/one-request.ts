import { AsyncLocalStorage } from "node:async_hooks";
import type { Id } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import type { ControlledTransaction } from "kysely";
import { announceRevocation } from "../announce-revocation.ts";
import type { IdentityContext } from "../context.ts";
import type { DB } from "../db-types.ts";
import type { FoundClient } from "./find-client.ts";

/**
 * All that one request to oidc-provider writes is one transaction. The library first spends a refresh token and then
 * goes on checking: without this a request that is refused half way, or a process that dies there, would have spent it.
 */
export interface OneRequest {
  /** The transaction once something was written; before that a request holds no connection while it waits for others. */
  reader(): Db<DB>;
  writer(): Promise<Db<DB>>;
  /** What was written stays although the answer will be a refusal, and every gateway hears of it. */
  keepAndAnnounce(): void;
  /** What was looked up already. */
  clients: Map<string, Promise<FoundClient | undefined>>;
  orgs: Map<string, Id<"org">>;
}

const requests = new AsyncLocalStorage<OneRequest>();

export function currentRequest(): OneRequest | undefined {
  return requests.getStore();
}

export async function inOneRequest<Answer extends { status: number }>(
  context: IdentityContext,
  work: () => Promise<Answer>,
): Promise<Answer> {
  let begun: Promise<ControlledTransaction<DB>> | undefined;
  let transaction: ControlledTransaction<DB> | undefined;
  let isKept = false;
  const request: OneRequest = {
    reader: () => transaction ?? context.db,
    writer: async () => (transaction = await (begun ??= context.db.startTransaction().execute())),
    keepAndAnnounce: () => (isKept = true),
    clients: new Map(),
    orgs: new Map(),
  };
  try {
    const answer = await requests.run(request, work);
    if (transaction && (answer.status < 400 || isKept)) {
      await transaction.commit().execute();
      if (isKept) await announceRevocation(context);
    }
    return answer;
  } finally {
    const open = await begun?.catch(() => undefined);
    if (open && !open.isCommitted)
      await open
        .rollback()
        .execute()
        .catch(() => undefined);
  }
}
