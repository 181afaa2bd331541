import type { FastifyRequest } from "fastify";

/**
 * Whether a browser says that a page of ours sent this. Browsers name the origin of every POST. One that keeps it
 * from us may still say that it is our own; everything else could be a form on a stranger's page.
 */
export function isFromHere(request: FastifyRequest, allowedOrigins: ReadonlySet<string>): boolean {
  const { origin } = request.headers;
  if (origin !== undefined) return allowedOrigins.has(origin);
  return request.headers["sec-fetch-site"] === "same-origin";
}
