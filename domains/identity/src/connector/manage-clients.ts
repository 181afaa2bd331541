import { randomBytes } from "node:crypto";
import type { Db } from "@svc/platform/db";
import { AppError } from "@svc/platform/errors";
import { type Actor, type IdentityContext } from "../context.ts";
import type { DB } from "../db-types.ts";
import { type ClientProperties, MetadataRefused, publicClient } from "./client-metadata.ts";
import { insertClient, type ListedClient, listClientRows, setClientActive } from "./client-queries.ts";
import { listGrantIdsOfClient } from "./grant-queries.ts";
import { endGrant } from "./grants.ts";
import { isDocumentAddress } from "./metadata-document.ts";

/** More than can be registered by default; a bound all the same. */
const MOST_LISTED = 1_000;
const OPERATOR: Actor = { kind: "operator", id: null, name: "operator" };

export interface ManagedClient {
  client_id: string;
  name: string;
  kind: string;
  is_active: boolean;
  redirect_uris: string[];
  /** People's grants that are good right now. */
  grants: number;
  created_at: string;
  expires_at: string | null;
}

/** A client that the operator vouches for. It counts for no limit and does not expire. */
export async function addClient(
  db: Db<DB>,
  { name, redirectUris }: { name: string; redirectUris: string[] },
): Promise<ManagedClient> {
  const clientId = `pre_${randomBytes(16).toString("base64url")}`;
  let properties: ClientProperties;
  try {
    properties = publicClient(clientId, { client_name: name, redirect_uris: redirectUris });
  } catch (error) {
    if (error instanceof MetadataRefused) throw new AppError("INVALID_REQUEST", `${error.message}.`);
    throw error;
  }
  const row = await insertClient(db, {
    client_id: clientId,
    kind: "preregistered",
    name: properties.client_name,
    metadata: JSON.stringify(properties),
  });
  return toManagedClient({ ...row, grants: 0 });
}

export async function listClients(db: Db<DB>): Promise<ManagedClient[]> {
  return (await listClientRows(db, MOST_LISTED)).map(toManagedClient);
}

/**
 * Nobody can connect or renew with it from now on, and what people have allowed it is over. A client that is described
 * by a document has no row: it gets one that blocks it. Answers with the number of grants that ended.
 */
export async function disableClient({ db }: Pick<IdentityContext, "db">, clientId: string): Promise<number> {
  return db.transaction().execute(async (tx) => {
    if (!(await setClientActive(tx, clientId, false))) {
      if (!isDocumentAddress(clientId)) throw unknownClient();
      await insertClient(tx, { client_id: clientId, is_active: false, name: new URL(clientId).host });
    }
    const origin = { address: null, userAgent: "svc-admin" };
    const ids = await listGrantIdsOfClient(tx, clientId);
    for (const id of ids) await endGrant(tx, id, { actor: OPERATOR, origin, reason: "the client was disabled" });
    return ids.length;
  });
}

/** It may connect again. People have to allow it anew. */
export async function enableClient({ db }: Pick<IdentityContext, "db">, clientId: string): Promise<void> {
  if (!(await setClientActive(db, clientId, true))) throw unknownClient();
}

function unknownClient(): AppError {
  return new AppError("NOT_FOUND", "No such client. Run `clients list` to see their ids.");
}

function toManagedClient(row: ListedClient): ManagedClient {
  const { redirect_uris = [] } = row.metadata as Partial<ClientProperties>;
  return {
    client_id: row.client_id,
    name: row.name,
    kind: row.kind,
    is_active: row.is_active,
    redirect_uris,
    grants: row.grants,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
  };
}
