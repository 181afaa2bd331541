import type { FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { AppError } from "../errors/index.ts";
import { counter } from "../telemetry/index.ts";
import type { Server } from "./create-server.ts";

/** How many bad credentials an address may show in how long, before it is turned away for as long again. */
export interface FailureLimit {
  failures: number;
  perSeconds: number;
}

const DEFAULT_LIMIT: FailureLimit = { failures: 100, perSeconds: 60 };

const REMEMBERED_NETWORKS = 100_000;

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
 * be what the flood brings down. With several processes an address has the limit once for each. Who comes from more
 * networks than are remembered pushes out the oldest; memory has an end.
 */
export function throttleFailures(app: Server, limit: FailureLimit = DEFAULT_LIMIT): void {
  const failures = new LRUCache<string, number>({ max: REMEMBERED_NETWORKS, ttl: limit.perSeconds * 1_000 });
  const networks = new WeakMap<FastifyRequest, string>();

  app.addHook("onRequest", async (request) => {
    // A connection that is closed already has no address any more, whatever the type says.
    const address: string | undefined = request.ip;
    if (address === undefined) throw new AppError("TIMEOUT", "The caller went away.");
    const network = networkOf(address);
    networks.set(request, network);
    if ((failures.get(network) ?? 0) <= limit.failures || exempt.has(request)) return;
    turnedAway.add();
    throw new AppError(
      "RATE_LIMITED",
      "Too many bad credentials from your address. Wait, then check the token you use.",
      {
        retryAfterSeconds: Math.max(1, Math.round(failures.getRemainingTTL(network) / 1_000)),
      },
    );
  });

  app.addHook("onResponse", async (request, reply) => {
    if ((reply.statusCode !== 401 && !failed.has(request)) || exempt.has(request)) return;
    // As it was at the beginning: the connection may be closed by now.
    const network = networks.get(request);
    if (network === undefined) return;
    const count = (failures.get(network) ?? 0) + 1;
    // The time runs from the first failure, and once more from the one that was too many.
    const isFresh = count === 1 || count === limit.failures + 1;
    failures.set(network, count, { ttl: isFresh ? limit.perSeconds * 1_000 : failures.getRemainingTTL(network) });
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
