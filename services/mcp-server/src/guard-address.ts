import { validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import { AppError } from "@svc/platform/errors";

/** A page that has its own name resolved to this service's address (DNS rebinding) gives itself away by Host. */
export function checkHost(host: string | undefined, allowed: string[]): void {
  if (validateHostHeader(host, allowed).ok) return;
  throw new AppError("FORBIDDEN", "This service has another name. Its operator can add this one to MCP_ALLOWED_HOSTS.");
}

/** Any other page gives itself away by Origin, which programs do not send. Answers what lets the page read the answer. */
export function admitOrigin(origin: string | undefined, allowed: string[]): Record<string, string> {
  const headers = headersFor(origin, allowed);
  if (headers) return headers;
  throw new AppError("FORBIDDEN", "Pages of this origin may not call. The operator can add it to MCP_ALLOWED_ORIGINS.");
}

/** A preflight is always answered: without the headers it is the browser that refuses the page. */
export function answerPreflight(origin: string | undefined, allowed: string[]): Record<string, string> {
  return { ...PREFLIGHT_HEADERS, ...headersFor(origin, allowed) };
}

function headersFor(origin: string | undefined, allowed: string[]): Record<string, string> | undefined {
  if (!origin) return {};
  if (!validateOriginHeader(origin, allowed).ok) return undefined;
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "www-authenticate, x-request-id, retry-after",
    vary: "Origin",
  };
}

const PREFLIGHT_HEADERS = {
  "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
  "access-control-allow-headers":
    "authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id",
  "access-control-max-age": "86400",
};

/** For what is public anyway. */
export const PUBLIC_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "*",
  "cache-control": "public, max-age=300",
};
