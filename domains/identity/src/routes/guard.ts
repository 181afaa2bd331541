import { createHash, timingSafeEqual } from "node:crypto";
import type { Caller, Id } from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import { bearerToken, callerOf, requireCaller, requireRole } from "@svc/platform/http";
import type { FastifyRequest } from "fastify";
import type { IdentityContext } from "../context.ts";
import { findPersonOfToken } from "../find-person.ts";
import { type GuardedRoute, ROUTE_ACCESS } from "../permissions.ts";
import { validateToken, type WorkloadTokens } from "../validate-token.ts";

type Hook = (request: FastifyRequest) => Promise<void>;

export interface GuardOptions {
  context: IdentityContext;
  operatorToken: string | undefined;
  workloads?: WorkloadTokens | undefined;
}

export type Guard = (route: GuardedRoute) => Hook[];

const people = new WeakMap<FastifyRequest, Id<"usr">>();

/** Turns a line of the access table into the hooks that enforce it. */
export function createGuard({ context, operatorToken, workloads }: GuardOptions): Guard {
  const requireMember = requireCaller({
    authenticate: async (token) => {
      const validation = await validateToken(context, token, workloads);
      if (!validation.valid) throw new AppError("UNAUTHENTICATED", validation.reason);
      const { valid: _valid, cache_seconds: _seconds, ...caller } = validation;
      return caller;
    },
  });
  const requirePerson: Hook = async (request) => {
    const person = await findPersonOfToken(context, bearerToken(request));
    if (!person) throw new AppError("UNAUTHENTICATED", "Sign in first; this needs the token of a person.");
    people.set(request, person);
  };
  const requireOperator: Hook = async (request) => {
    if (operatorToken && isEqual(bearerToken(request), operatorToken)) return;
    throw new AppError("UNAUTHENTICATED", "This needs the operator's credential (OPERATOR_TOKEN of the auth service).");
  };

  return (route) => {
    const access = ROUTE_ACCESS[route];
    if (access === "anyone") return [];
    if (access === "person") return [requirePerson];
    if (access === "operator") return [requireOperator];
    // The organization first: who is not in it must not learn from a 403 that it exists.
    return [requireMember, requireOwnOrg, requireRole(access)];
  };
}

/** The organization in the path is the one the token is for; to everyone else it does not exist. */
async function requireOwnOrg(request: FastifyRequest): Promise<void> {
  const { org } = request.params as { org?: string };
  const own = callerOf(request).org;
  if (org === undefined || org === own.id || org === own.slug) return;
  throw new AppError("NOT_FOUND", "No such organization, or your token is for another.");
}

export function personOf(request: FastifyRequest): Id<"usr"> {
  const person = people.get(request);
  if (!person) throw new Error("the route does not require a person");
  return person;
}

/** A caller that is a person. Workloads and support staff act for none. */
export function personalCallerOf(request: FastifyRequest): Caller & { user: NonNullable<Caller["user"]> } {
  const caller = callerOf(request);
  if (!caller.user) throw new AppError("FORBIDDEN", "Only a person can do this; a workload or support session cannot.");
  return { ...caller, user: caller.user };
}

/** Digests have one length, so the comparison tells neither the length nor a prefix. */
function isEqual(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected));
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
