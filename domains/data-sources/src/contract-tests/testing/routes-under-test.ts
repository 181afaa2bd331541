import type { Role } from "@svc/contract";
import type { Server } from "@svc/platform/http";

export interface RouteUnderTest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** As the description of the service writes it. */
  path: string;
  /** The lowest role that gets through the door. */
  minimum: Role;
  /** One that the route takes. */
  body?: object;
}

/** Every route of the domain. */
export const ROUTES: RouteUnderTest[] = [
  { method: "GET", path: "/api/wf/databases", minimum: "developer" },
  { method: "POST", path: "/api/wf/databases", minimum: "developer", body: { name: "brand_new" } },
  { method: "GET", path: "/api/wf/databases/{name}", minimum: "developer" },
  { method: "PATCH", path: "/api/wf/databases/{name}", minimum: "developer", body: { description: "What we know" } },
  { method: "DELETE", path: "/api/wf/databases/{name}", minimum: "admin" },
  { method: "POST", path: "/api/wf/databases/{name}/restore", minimum: "admin" },
  { method: "GET", path: "/api/wf/databases/{name}/connection", minimum: "developer" },
  { method: "POST", path: "/api/wf/databases/{name}/rotate", minimum: "admin" },
  { method: "POST", path: "/api/wf/databases/{name}/sample", minimum: "developer" },
  { method: "GET", path: "/api/wf/data-sources", minimum: "developer" },
  {
    method: "PUT",
    path: "/api/wf/data-sources/{id}",
    minimum: "developer",
    body: { connection_config: { embedding_configs: [] } },
  },
  { method: "PUT", path: "/api/wf/data-sources/{id}/exposure", minimum: "admin", body: { exposed: true } },
  { method: "GET", path: "/api/wf/data-sources/{id}/health", minimum: "developer" },
  {
    method: "POST",
    path: "/api/wf/data-sources/{id}/probe",
    minimum: "admin",
    body: { send_rows_to_embedding_provider: true },
  },
  { method: "GET", path: "/api/wf/slim/data-sources", minimum: "viewer" },
  { method: "POST", path: "/api/wf/slim/data-sources/{id}/query", minimum: "viewer", body: { query: "holidays" } },
  { method: "GET", path: "/api/wf/activity", minimum: "viewer" },
  { method: "GET", path: "/api/wf/activity/histogram", minimum: "viewer" },
  { method: "GET", path: "/api/wf/audit", minimum: "admin" },
];

export const keyOf = ({ method, path }: Pick<RouteUnderTest, "method" | "path">): string => `${method} ${path}`;

/** With a database in it; as the id of a source it has its prefix. */
export function urlOf({ path }: Pick<RouteUnderTest, "path">, database: string): string {
  return path.replace("{name}", database).replace("{id}", `db_${database}`);
}

export function isSlim({ path }: Pick<RouteUnderTest, "path">): boolean {
  return path.startsWith("/api/wf/slim/");
}

export type JsonSchema = Record<string, unknown>;

export interface Operation {
  parameters?: { name: string; in: string; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
}

/** What the service says of itself, by `METHOD path`. */
export async function describedOperations(app: Server): Promise<Map<string, Operation>> {
  const { paths } = (await app.inject("/openapi.json")).json<{ paths: Record<string, Record<string, Operation>> }>();
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    ),
  );
}
