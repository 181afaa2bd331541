import proxy from "@fastify/http-proxy";
import { AppError } from "@svc/platform/errors";
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
      // Its own lines name the whole address, ids and all; ours name the route.
      disableRequestLogging: true,
      prefix,
      rewritePrefix: prefix,
      http: { requestOptions: { timeout: TIMEOUT_MS } },
      replyOptions: {
        // By default a GET that was answered 503 is tried ten times, while the caller waits for a plain no.
        retryDelay: () => null,
        onError: (reply, { error }) => void reply.send(upstreamProblem(error)),
        // The same id in the logs of both; and who calls, by our word alone: what the caller wrote there is dropped.
        rewriteRequestHeaders: (request, headers) => ({
          ...headers,
          "x-request-id": request.id,
          "x-forwarded-for": request.ip,
          "x-forwarded-host": request.host,
          "x-forwarded-proto": request.protocol,
        }),
      },
    });
  };
  await passOn("/api/deploy", deployApiUrl);
  await passOn("/api/v1", authServiceUrl);
  await passOn("/auth", authServiceUrl);
  await passOn("/logout", authServiceUrl);
  // Where this door is the issuer that agents know; where the auth service has a host of its own, nobody asks here.
  await passOn("/oauth", authServiceUrl);
  await passOn("/.well-known/oauth-authorization-server", authServiceUrl);
  if (!authLoginUrl) return passOn("/login", authServiceUrl);

  app.get("/login", { schema: { hide: true } }, async (request, reply) => {
    const address = new URL("/login", authLoginUrl);
    for (const [name, value] of Object.entries(request.query as Record<string, string>))
      address.searchParams.set(name, value);
    return reply.redirect(address.href, 303);
  });
}

/** Only what the proxy itself says of time is about time; everything else means that nobody was there. */
function upstreamProblem(error: Error): AppError {
  if ("statusCode" in error && error.statusCode === 504) {
    return new AppError("TIMEOUT", "That part of the service took too long. Try again.", { cause: error });
  }
  return new AppError("UNAVAILABLE", "That part of the service is away. Try again shortly.", {
    retryAfterSeconds: 1,
    cause: error,
  });
}
