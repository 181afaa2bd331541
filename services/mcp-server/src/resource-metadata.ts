import { getOAuthProtectedResourceMetadataUrl } from "@modelcontextprotocol/server";
import { NEEDED_SCOPES } from "./challenge.ts";

/** RFC 9728 section 2. */
interface ResourceMetadata {
  resource: string;
  resource_name: string;
  authorization_servers?: string[];
  scopes_supported: string[];
  bearer_methods_supported: string[];
  resource_documentation?: string;
}

interface ResourceMetadataOptions {
  resourceUrl: string;
  issuer?: string | undefined;
  documentationUrl?: string | undefined;
}

export function describeResource({ resourceUrl, issuer, documentationUrl }: ResourceMetadataOptions): ResourceMetadata {
  return {
    resource: resourceUrl,
    resource_name: "svc",
    ...(issuer && { authorization_servers: [issuer] }),
    scopes_supported: NEEDED_SCOPES,
    bearer_methods_supported: ["header"],
    ...(documentationUrl && { resource_documentation: documentationUrl }),
  };
}

/** Absolute, since agents resolve it against nothing. */
export function metadataUrlOf(resourceUrl: string): string {
  return getOAuthProtectedResourceMetadataUrl(new URL(resourceUrl));
}
