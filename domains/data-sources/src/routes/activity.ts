import { activitySchema, listActivityQuerySchema, pageOf } from "@svc/contract";
import {
  type Authenticator,
  callerOf,
  problems,
  readCursor,
  readPage,
  requireCaller,
  type Server,
} from "@svc/platform/http";
import type { DataSourcesContext } from "../context.ts";
import { listActivity } from "../list-activity.ts";

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
      const { limit, cursor, type, source, source_id, user_id, from, to } = request.query;
      const page = {
        type,
        source,
        sourceId: source_id,
        userId: user_id,
        from: from === undefined ? undefined : new Date(from),
        to: to === undefined ? undefined : new Date(to),
        before: readCursor("act", cursor),
      };
      return readPage(limit, (count) => listActivity(db, callerOf(request), { ...page, limit: count }));
    },
  );
}
