import type { FastifyRequest } from "fastify";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { AppError } from "../errors/index.ts";
import { counter } from "../telemetry/index.ts";
import type { Server } from "./create-server.ts";

/** How many bad credentials an address may show in how long, before it is turned away for as long again. */
export interface FailureLimit {
  failures: number;
  perSeconds: number;
}

const DEFAULT_LIMIT: FailureLimit = { failures: 100, perSeconds: 60 };

const failed = new WeakSet<FastifyRequest>();
const exempt = new WeakSet<FastifyRequest>();
const turnedAway = counter("svc_throttled_requests_total", "Requests turned away for too many bad credentials before.");

/** For a bad credential that is answered with something else than 401. */
export function noteFailure(request: FastifyRequest): void {
  failed.add(request);
}

/** For a service of ours, which passes on what others show it and must not be turned away for them. */
export function exemptFromThrottle(request: FastifyRequest): void {
  exempt.add(request);
}

/**
 * Counts in this process alone: it costs no round trip, and the store that a flood would have to go through cannot
 * be what the flood brings down. With several processes an address has the limit once for each.
 */
export function throttleFailures(app: Server, limit: FailureLimit = DEFAULT_LIMIT): void {
  const limiter = new RateLimiterMemory({
    points: limit.failures,
    duration: limit.perSeconds,
    blockDuration: limit.perSeconds,
  });

  app.addHook("onRequest", async (request) => {
    const seen = await limiter.get(networkOf(request.ip));
    if (!seen || seen.consumedPoints <= limit.failures || exempt.has(request)) return;
    turnedAway.add();
    throw new AppError(
      "RATE_LIMITED",
      "Too many bad credentials from your address. Wait, then check the token you use.",
      {
        retryAfterSeconds: Math.ceil(seen.msBeforeNext / 1_000),
      },
    );
  });

  app.addHook("onResponse", async (request, reply) => {
    if (reply.statusCode !== 401 && !failed.has(request)) return;
    if (exempt.has(request)) return;
    // Rejects once the limit is reached; that is what the next request looks at.
    await limiter.consume(networkOf(request.ip)).catch(() => undefined);
  });
}

/** A home or an office has a whole /64 of IPv6, so single addresses of it count as one. */
export function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [head = "", tail = ""] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const zeros = address.includes("::") ? Array.from({ length: 8 - left.length - right.length }, () => "0") : [];
  return [...left, ...zeros, ...right].slice(0, 4).join(":");
}
