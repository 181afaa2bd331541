import { type Caller, isAtLeast, type Role, type Scope } from "@svc/contract";
import type { FastifyRequest } from "fastify";
import { AppError } from "../errors/index.ts";
import type { Authenticator } from "./validate-token.ts";

const callers = new WeakMap<FastifyRequest, Caller>();

/**
 * An `onRequest` hook: runs before the body is read, so that a stranger cannot make us parse anything. An agent that
 * acts for a person gets through only where the route names a scope that it was given; everywhere else it is refused.
 */
export function requireCaller(authenticator: Authenticator, scope?: Scope): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    const caller = await authenticator.authenticate(bearerToken(request));
    if (caller.scopes && !(scope && caller.scopes.includes(scope))) {
      throw new AppError(
        "FORBIDDEN",
        scope
          ? `This needs the scope ${scope}. Connect the agent again and allow it.`
          : "Agents cannot do this. Do it yourself, in the console or with the command line.",
      );
    }
    callers.set(request, caller);
  };
}

/** An `onRequest` hook for after requireCaller. */
export function requireRole(minimum: Role): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    const { role } = callerOf(request);
    if (isAtLeast(role, minimum)) return;
    throw new AppError(
      "FORBIDDEN",
      `This needs the role ${minimum}; yours is ${role}. Ask an owner of the organization.`,
    );
  };
}

export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (!caller) throw new Error("the route does not require a caller");
  return caller;
}

export function bearerToken(request: FastifyRequest): string {
  const [scheme, token, ...rest] = (request.headers.authorization ?? "").split(" ");
  if (scheme?.toLowerCase() !== "bearer" || !token || rest.length > 0) {
    throw new AppError(
      "UNAUTHENTICATED",
      "Send an API token or a user token in the header `Authorization: Bearer <token>`.",
    );
  }
  return token;
}
