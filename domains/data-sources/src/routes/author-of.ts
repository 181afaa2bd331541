import { actorOf, callerOf, originOf } from "@svc/platform/http";
import type { FastifyRequest } from "fastify";
import type { Author } from "../context.ts";

export function authorOf(request: FastifyRequest): Author {
  return { orgId: callerOf(request).org.id, actor: actorOf(request), origin: originOf(request) };
}
