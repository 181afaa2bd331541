import {
  activityHistogramQuerySchema,
  activityHistogramSchema,
  activitySchema,
  listActivityQuerySchema,
  pageOf,
} from "@svc/contract";
import {
  type Authenticator,
  callerOf,
  problems,
  readCursor,
  readPage,
  requireCaller,
  type Server,
} from "@svc/platform/http";
import type { z } from "zod";
import type { DataSourcesContext } from "../context.ts";
import { countActivity } from "../count-activity.ts";
import { listActivity } from "../list-activity.ts";
import type { ActivityFilters } from "../queries/activity.ts";

export function activityRoutes(
  app: Server,
  { db }: Pick<DataSourcesContext, "db">,
  authenticator: Authenticator,
): void {
  app.get(
    "/api/wf/activity",
    {
      onRequest: requireCaller(authenticator),
      schema: {
        summary: "What was asked: who, when, how long, how much; newest first",
        querystring: listActivityQuerySchema,
        response: { 200: pageOf(activitySchema), ...problems(400, 401, 403, 429, 503) },
      },
    },
    (request) => {
      const { limit, cursor, ...filters } = request.query;
      const page = { ...filtersOf(filters), before: readCursor("act", cursor) };
      return readPage(limit, (count) => listActivity(db, callerOf(request), { ...page, limit: count }));
    },
  );

  app.get(
    "/api/wf/activity/histogram",
    {
      onRequest: requireCaller(authenticator),
      schema: {
        summary: "How much was asked and how much of it failed, over time; the last 24 hours unless told",
        querystring: activityHistogramQuerySchema,
        response: { 200: activityHistogramSchema, ...problems(400, 401, 403, 429, 503) },
      },
    },
    (request) => countActivity(db, callerOf(request), filtersOf(request.query)),
  );
}

function filtersOf(query: z.infer<typeof activityHistogramQuerySchema>): ActivityFilters {
  const { type, source, source_id, user_id, from, to } = query;
  return {
    type,
    source,
    sourceId: source_id,
    userId: user_id,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
}
