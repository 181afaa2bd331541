import type { FastifyRequest } from "fastify";
import type { AuditActor, Origin } from "../audit/index.ts";
import { callerOf } from "./authenticate.ts";

/** Who makes the request, as an audit trail names them. */
export function actorOf(request: FastifyRequest): AuditActor {
  const { kind, user, support, app } = callerOf(request);
  if (user) return { kind: "user", id: user.id, name: user.email };
  if (support) return { kind: "support", id: support.session_id, name: support.staff };
  if (kind === "workload") return { kind, id: null, name: app ?? kind };
  return { kind: "system", id: null, name: kind };
}

export function originOf(request: FastifyRequest): Origin {
  return { address: request.ip, userAgent: request.headers["user-agent"] ?? null };
}
