import {
  dataSourceSchema,
  dataSourcesSchema,
  exposeSourceRequestSchema,
  modelProbeSchema,
  probeModelRequestSchema,
  savedSearchConfigurationSchema,
  saveSearchConfigurationQuerySchema,
  saveSearchConfigurationRequestSchema,
  sourceHealthSchema,
  sourceParamsSchema,
} from "@svc/contract";
import { type Authenticator, callerOf, problems, requireCaller, requireRole, type Server } from "@svc/platform/http";
import type { DataSourcesContext } from "../context.ts";
import { exposeSource } from "../expose-source.ts";
import { checkSourceHealth } from "../health/check-source-health.ts";
import { probeModel } from "../health/probe-model.ts";
import { listSources } from "../list-sources.ts";
import { saveSearchConfiguration } from "../search-configuration/save-search-configuration.ts";
import { authorOf } from "./author-of.ts";

/** What those who configure sources see and do. */
export function sourceRoutes(app: Server, context: DataSourcesContext, authenticator: Authenticator): void {
  const atLeast = (role: "developer" | "admin") => [requireCaller(authenticator), requireRole(role)];

  app.get(
    "/api/wf/data-sources",
    {
      onRequest: atLeast("developer"),
      schema: {
        summary: "All data sources with their search configuration",
        response: { 200: dataSourcesSchema, ...problems(401, 403, 429, 503) },
      },
    },
    async (request) => ({ items: await listSources(context.db, callerOf(request).org.id) }),
  );

  app.put(
    "/api/wf/data-sources/:id",
    {
      onRequest: atLeast("developer"),
      // The use case reads the body itself: it lists what is malformed together with what the database says.
      attachValidation: true,
      schema: {
        summary: "Replace the search configuration, after checking it against the database",
        params: sourceParamsSchema,
        querystring: saveSearchConfigurationQuerySchema,
        body: saveSearchConfigurationRequestSchema,
        response: {
          200: savedSearchConfigurationSchema,
          ...problems(400, 401, 403, 404, 409, 413, 415, 429, 503, 504),
        },
      },
    },
    async (request) => {
      if (request.validationError && request.validationError.validationContext !== "body")
        throw request.validationError;
      return saveSearchConfiguration(context, authorOf(request), request.params.id, request.body, {
        dryRun: request.query.dry_run === "true",
      });
    },
  );

  app.put(
    "/api/wf/data-sources/:id/exposure",
    {
      onRequest: atLeast("admin"),
      schema: {
        summary: "Expose a data source to members from a role up, or take it back",
        params: sourceParamsSchema,
        body: exposeSourceRequestSchema,
        response: { 200: dataSourceSchema, ...problems(400, 401, 403, 404, 409, 413, 415, 429, 503) },
      },
    },
    (request) => exposeSource(context, authorOf(request), request.params.id, request.body),
  );

  app.get(
    "/api/wf/data-sources/:id/health",
    {
      onRequest: atLeast("developer"),
      schema: {
        summary: "What is well with a data source and what is not",
        params: sourceParamsSchema,
        response: { 200: sourceHealthSchema, ...problems(401, 403, 404, 429, 503) },
      },
    },
    (request) => checkSourceHealth(context, callerOf(request).org.id, request.params.id),
  );

  app.post(
    "/api/wf/data-sources/:id/probe",
    {
      onRequest: atLeast("admin"),
      schema: {
        summary: "Find out whether the vectors are of the named model; sends sampled rows to the embedding provider",
        params: sourceParamsSchema,
        body: probeModelRequestSchema,
        response: {
          200: modelProbeSchema,
          ...problems(400, 401, 403, 404, 409, 413, 415, 429, 502, 503, 504),
        },
      },
    },
    (request) => probeModel(context, authorOf(request), request.params.id, { target: request.body.target }),
  );
}
