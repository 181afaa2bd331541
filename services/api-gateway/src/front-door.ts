import proxy from "@fastify/http-proxy";
import type { Server } from "@svc/platform/http";

interface FrontDoorOptions {
  authServiceUrl: string;
  deployApiUrl: string;
  /** Where people sign in when the auth service is hosted elsewhere; else it answers behind this door. */
  authLoginUrl: string | undefined;
}

/** Long enough for a deployment's slowest answer, shorter than a browser's patience. */
const TIMEOUT_MS = 30_000;

/** One address for everything: what other services answer is reached through here, under the paths they own. */
export async function frontDoor(
  app: Server,
  { authServiceUrl, deployApiUrl, authLoginUrl }: FrontDoorOptions,
): Promise<void> {
  const passOn = async (prefix: string, upstream: string): Promise<void> => {
    await app.register(proxy, {
      upstream,
      prefix,
      rewritePrefix: prefix,
      http: { requestOptions: { timeout: TIMEOUT_MS } },
      replyOptions: {
        // The same id in the logs of both.
        rewriteRequestHeaders: (request, headers) => ({ ...headers, "x-request-id": request.id }),
      },
    });
  };
  await passOn("/api/deploy", deployApiUrl);
  await passOn("/api/v1", authServiceUrl);
  await passOn("/auth", authServiceUrl);
  await passOn("/logout", authServiceUrl);
  if (!authLoginUrl) return passOn("/login", authServiceUrl);

  app.get("/login", { schema: { hide: true } }, async (request, reply) => {
    const address = new URL("/login", authLoginUrl);
    for (const [name, value] of Object.entries(request.query as Record<string, string>))
      address.searchParams.set(name, value);
    return reply.redirect(address.href, 303);
  });
}
