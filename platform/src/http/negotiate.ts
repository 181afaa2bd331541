import type { FastifyReply, FastifyRequest } from "fastify";
import { toYaml } from "./yaml.ts";

const YAML_TYPES = new Set(["application/yaml", "application/x-yaml", "text/yaml"]);
const JSON_TYPES = new Set(["application/json", "application/problem+json"]);

/** YAML unless JSON is asked for by name; a bare wildcard asks for neither. */
export function wantsJson(accept: string | undefined): boolean {
  let json = 0;
  let yaml = 0;
  for (const range of (accept ?? "").split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const quality = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1);
    if (JSON_TYPES.has(type)) json = Math.max(json, quality || 0);
    if (YAML_TYPES.has(type)) yaml = Math.max(yaml, quality || 0);
  }
  return json > 0 && json >= yaml;
}

/**
 * An `onSend` hook for routes that answer YAML by default, errors included. The answer has passed its response
 * schema as JSON by then, so both forms are guarded by the same contract.
 */
export async function sendNegotiated(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  reply.header("vary", "Accept");
  if (typeof payload !== "string" || wantsJson(request.headers.accept)) return payload;
  // A route whose answers are large or frequent writes them itself; only its problems come here as JSON.
  if (String(reply.getHeader("content-type")).startsWith("application/yaml")) return payload;
  const yaml = toYaml(JSON.parse(payload));
  reply.header("content-type", "application/yaml; charset=utf-8");
  reply.header("content-length", Buffer.byteLength(yaml));
  return yaml;
}
