import type { IdentityContext } from "../context.ts";
import type { ClientProperties } from "./client-metadata.ts";
import { hashOfMetadata } from "./client-metadata.ts";
import { type ClientRow, findClientDocument, findClientRow, saveClientDocument } from "./client-queries.ts";
import { isDocumentAddress, type MetadataDocument } from "./metadata-document.ts";
import { currentRequest } from "./one-request.ts";

export interface FoundClient {
  properties: ClientProperties;
  /** What a person approves: another hash is to be approved anew. */
  hash: string;
}

/** How a client that is described by a document is known. */
export type DocumentSource =
  /** Read now, which is how an authorization begins. */
  | { kind: "fresh" }
  /** As it was when this authorization began. */
  | { kind: "asked"; client: FoundClient }
  /** As it was when somebody approved it, for a day: a host that is away must not cut off its agents. */
  | { kind: "approved" };

export interface Clients {
  /** Undefined for one that is unknown, blocked or expired. */
  find(clientId: string, source: DocumentSource): Promise<FoundClient | undefined>;
  rememberApproved(client: FoundClient): Promise<void>;
}

const DOCUMENT_GOOD_FOR_MS = 24 * 3_600_000;
/** RFC 6749 appendix A.1. Others name nobody, and some of them no database takes. */
const CLIENT_ID = /^[\x20-\x7e]+$/;

export function createClients(
  { db }: IdentityContext,
  readDocument: (clientId: string) => Promise<MetadataDocument>,
): Clients {
  const find: Clients["find"] = async (clientId, source) => {
    if (!CLIENT_ID.test(clientId)) return undefined;
    const row = await findClientRow(currentRequest()?.reader() ?? db, clientId);
    if (row && !isActive(row)) return undefined;
    if (row && row.kind !== "metadata_document") return ofRow(row);
    if (!isDocumentAddress(clientId)) return undefined;
    if (source.kind === "asked") return source.client;
    if (source.kind === "fresh") return readDocument(clientId);
    const kept = await findClientDocument(currentRequest()?.reader() ?? db, clientId);
    if (kept && Date.now() - kept.fetched_at.getTime() < DOCUMENT_GOOD_FOR_MS) {
      return { properties: kept.metadata as unknown as ClientProperties, hash: kept.hash };
    }
    const fetched = await readDocument(clientId);
    if (kept) await rememberApproved(fetched);
    return fetched;
  };

  const rememberApproved: Clients["rememberApproved"] = ({ properties, hash }) =>
    saveClientDocument(db, { client_id: properties.client_id, metadata: JSON.stringify(properties), hash });

  return {
    // oidc-provider asks several times in a request, also after a failure.
    find: (clientId, source) => {
      const known = currentRequest()?.clients;
      const found = known?.get(clientId) ?? find(clientId, source);
      known?.set(clientId, found);
      return found;
    },
    rememberApproved: async (client) => {
      if (isDocumentAddress(client.properties.client_id)) await rememberApproved(client);
    },
  };
}

function isActive({ is_active, expires_at }: ClientRow): boolean {
  return is_active && (expires_at === null || expires_at > new Date());
}

function ofRow({ metadata }: ClientRow): FoundClient {
  return { properties: metadata as unknown as ClientProperties, hash: hashOfMetadata(metadata) };
}
