import type { Response } from "undici";
import { type ClientProperties, hashOfMetadata, MetadataRefused, publicClient } from "./client-metadata.ts";
import type { GuardedFetch } from "./guarded-fetch.ts";

export interface MetadataDocument {
  properties: ClientProperties;
  /** Of all that the document says: any change is a change. */
  hash: string;
}

/** Nobody can tell what the document says; a document that says the wrong thing is a `MetadataRefused`. */
export class DocumentUnreachable extends Error {
  override readonly name = "DocumentUnreachable";
}

const LONGEST_ADDRESS = 500;
const MOST_BYTES = 5 * 1_024;
/** Whoever opens the authorization address makes us fetch; beyond this many at once they have to wait. */
const MOST_AT_ONCE = 32;
const ADDRESS = /^https:\/\/[^/?#@\\\s]+\/[^#\\\s]+$/;
const ASYMMETRIC = new Set(["RS256", "PS256", "ES256", "Ed25519", "EdDSA"]);

/** Whether an id is the address of a client's own description. Written in its one form, so that it cannot have two. */
export function isDocumentAddress(clientId: string): boolean {
  if (clientId.length > LONGEST_ADDRESS || !ADDRESS.test(clientId) || !URL.canParse(clientId)) return false;
  const url = new URL(clientId);
  return url.href === clientId && url.username === "" && url.password === "";
}

/** Fetches and reads documents. Requests for the same one that come together share a fetch. */
export function createDocumentReader({ fetch }: GuardedFetch): (clientId: string) => Promise<MetadataDocument> {
  const underway = new Map<string, Promise<MetadataDocument>>();
  return (clientId) => {
    const known = underway.get(clientId);
    if (known) return known;
    if (underway.size >= MOST_AT_ONCE) return Promise.reject(new DocumentUnreachable("too many documents at once"));
    const fetched = fetchDocument(fetch, clientId).finally(() => underway.delete(clientId));
    underway.set(clientId, fetched);
    return fetched;
  };
}

async function fetchDocument(fetch: GuardedFetch["fetch"], clientId: string): Promise<MetadataDocument> {
  let response: Response;
  try {
    response = await fetch(clientId, { headers: { accept: "application/json", "accept-encoding": "identity" } });
  } catch (error) {
    throw new DocumentUnreachable("the client's metadata document cannot be fetched", { cause: error });
  }
  try {
    return readDocument(clientId, await readJson(response));
  } finally {
    await response.body?.cancel().catch(() => undefined);
  }
}

async function readJson(response: Response): Promise<Record<string, unknown>> {
  if (response.status >= 500) throw new DocumentUnreachable(`the document's host answers ${response.status}`);
  if (response.status !== 200) throw refused(`its host answers ${response.status}`);
  const type = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/json" && !type.endsWith("+json")) throw refused("is not sent as application/json");
  const text = await readBounded(response);
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document === "object" && document !== null && !Array.isArray(document)) return document as never;
  } catch {
    // Said below.
  }
  throw refused("is no JSON object");
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw new DocumentUnreachable("the client's metadata document breaks off", { cause: error });
  }
  if (bytes > MOST_BYTES) throw refused(`is larger than ${MOST_BYTES} bytes`);
  return Buffer.concat(chunks).toString();
}

function readDocument(clientId: string, document: Record<string, unknown>): MetadataDocument {
  if (document["client_id"] !== clientId) throw refused("names another client_id than its own address");
  // Parts of it are kept, and Postgres takes any other character.
  if (JSON.stringify(document).includes("\\u0000")) throw refused("must have no NUL character");
  if ("client_secret" in document || "client_secret_expires_at" in document) throw refused("must have no secret");
  return {
    properties: { ...publicClient(clientId, document), ...readAuthentication(document) },
    hash: hashOfMetadata(document),
  };
}

/** A client may sign for itself with a key that it publishes; a secret that it would have to share cannot be. */
function readAuthentication(document: Record<string, unknown>): Partial<ClientProperties> {
  const method = document["token_endpoint_auth_method"] ?? "none";
  if (method === "none") return {};
  if (method !== "private_key_jwt") throw refused("must use the token_endpoint_auth_method none or private_key_jwt");
  const { jwks, jwks_uri, token_endpoint_auth_signing_alg: alg } = document;
  const signing: Partial<ClientProperties> = { token_endpoint_auth_method: method };
  if (alg !== undefined) {
    if (typeof alg !== "string" || !ASYMMETRIC.has(alg)) throw refused(`must sign with ${[...ASYMMETRIC].join(", ")}`);
    signing.token_endpoint_auth_signing_alg = alg;
  }
  if (typeof jwks_uri === "string" && isDocumentAddress(jwks_uri)) return { ...signing, jwks_uri };
  if (typeof jwks === "object" && jwks !== null) return { ...signing, jwks };
  throw refused("must have its keys in jwks, or their https address in jwks_uri");
}

function refused(reason: string): MetadataRefused {
  return new MetadataRefused("invalid_client_metadata", `the client's metadata document ${reason}`);
}
