import type { FastifyReply, FastifyRequest } from "fastify";
import { COOKIES } from "../../connector/create-provider.ts";
import type { ProviderAnswer, ProviderRequest } from "../../connector/run-provider.ts";

/** Only what the library may see of a request; see `PASSED_ON`. */
export function headersOf(request: FastifyRequest): ProviderRequest["headers"] {
  const { accept, authorization, cookie, "content-type": contentType } = request.headers;
  return { accept, authorization, cookie, "content-type": contentType };
}

export function sendProviderAnswer(reply: FastifyReply, { status, headers, body }: ProviderAnswer): FastifyReply {
  for (const [name, value] of Object.entries(headers)) {
    if (name === "content-length" || value === undefined) continue;
    reply.header(name, name === "set-cookie" ? withoutSession(value) : value);
  }
  // Of a redirect its address is enough; the library writes it out once more.
  return reply.code(status).send(status >= 300 && status < 400 ? "" : (body ?? ""));
}

/** The library's own session is not kept, so its cookie would lead nowhere. */
function withoutSession(cookies: number | string | string[]): string[] {
  return [cookies]
    .flat()
    .map(String)
    .filter((cookie) => !cookie.startsWith(COOKIES.session));
}
