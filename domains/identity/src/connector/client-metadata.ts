import { createHash } from "node:crypto";
import { findRedirectUriProblem, isLoopbackRedirect, withoutLoopbackPort } from "./redirect-uri.ts";

/** A client as oidc-provider reads it. Everything that a client could choose to our harm is decided here. */
export interface ClientProperties {
  client_id: string;
  client_name: string;
  redirect_uris: string[];
  /** Native ones may use any port of the loopback and are asked for consent each time. */
  application_type: "web" | "native";
  grant_types: string[];
  response_types: string[];
  response_modes: string[];
  token_endpoint_auth_method: "none" | "private_key_jwt";
  token_endpoint_auth_signing_alg?: string;
  jwks?: object;
  jwks_uri?: string;
}

/** The two errors of RFC 7591 section 3.2.2 that apply. */
export class MetadataRefused extends Error {
  readonly code: "invalid_redirect_uri" | "invalid_client_metadata";

  constructor(code: MetadataRefused["code"], reason: string) {
    super(reason);
    this.name = "MetadataRefused";
    this.code = code;
  }
}

const MOST_REDIRECTS = 20;
const LONGEST_NAME = 100;

type Metadata = Record<string, unknown>;

/** A public client: it proves itself by PKCE alone. */
export function publicClient(clientId: string, metadata: Metadata): ClientProperties {
  const redirectUris = readRedirectUris(metadata["redirect_uris"]);
  refuseUnsupported("grant_types", metadata["grant_types"], "authorization_code");
  refuseUnsupported("response_types", metadata["response_types"], "code");
  return {
    client_id: clientId,
    client_name: readName(metadata["client_name"]) ?? hostOf(clientId) ?? hostOf(redirectUris[0]) ?? "Unnamed agent",
    redirect_uris: redirectUris,
    application_type: redirectUris.some(isLoopbackRedirect) ? "native" : "web",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    response_modes: ["query"],
    token_endpoint_auth_method: "none",
  };
}

/** Equal for equal descriptions, whatever the order of their fields. */
export function hashOfMetadata(metadata: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(sortKeys(metadata)))
    .digest("base64url");
}

/** Without loopback ports, and each once: what an agent sends anew at each start stays the same. */
function readRedirectUris(value: unknown): string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_REDIRECTS) {
    throw new MetadataRefused("invalid_redirect_uri", `redirect_uris must have 1 to ${MOST_REDIRECTS} addresses`);
  }
  for (const uri of value) {
    const problem = findRedirectUriProblem(uri);
    if (problem) throw new MetadataRefused("invalid_redirect_uri", `a redirect URI ${problem}`);
  }
  return [...new Set((value as string[]).map(withoutLoopbackPort))].toSorted();
}

function refuseUnsupported(field: string, value: unknown, needed: string): void {
  if (value === undefined || (Array.isArray(value) && value.includes(needed))) return;
  throw new MetadataRefused("invalid_client_metadata", `${field} must have ${needed}, or be left out`);
}

/** What is shown to people: no line breaks, no characters that turn the reading direction or are not seen. */
function readName(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const name = value
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
  return name === "" ? undefined : Array.from(name).slice(0, LONGEST_NAME).join("");
}

function hostOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).host : undefined;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]));
}
