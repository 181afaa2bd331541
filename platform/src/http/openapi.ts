import swagger from "@fastify/swagger";
import { problemSchema } from "@svc/contract";
import { jsonSchemaTransform } from "fastify-type-provider-zod";
import type { Server } from "./create-server.ts";

/** The description of every route that is registered afterwards, made from the schemas that guard it. */
export async function serveOpenApi(app: Server, title: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title, version: "1" },
      components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
    },
    transform: jsonSchemaTransform,
  });
  app.get("/openapi.json", { schema: { hide: true } }, async () => app.swagger());
}

const problemResponse = { content: { "application/problem+json": { schema: problemSchema } }, description: "Problem" };

/** Declares which errors a route can answer. */
export function problems<S extends number>(...statuses: S[]): Record<S, typeof problemResponse> {
  return Object.fromEntries(statuses.map((status) => [status, problemResponse])) as Record<S, typeof problemResponse>;
}
