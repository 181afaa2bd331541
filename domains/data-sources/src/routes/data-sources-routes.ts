import type { Authenticator, Server } from "@svc/platform/http";
import type { Asking } from "../asking/ask-source.ts";
import type { DataSourcesContext } from "../context.ts";
import { activityRoutes } from "./activity.ts";
import { askingRoutes } from "./asking.ts";
import { auditRoutes } from "./audit.ts";
import { databaseRoutes } from "./databases.ts";
import { sourceRoutes } from "./sources.ts";

interface RoutesOptions {
  context: DataSourcesContext;
  asking: Asking;
  authenticator: Authenticator;
}

export function dataSourcesRoutes(app: Server, { context, asking, authenticator }: RoutesOptions): void {
  databaseRoutes(app, context, authenticator);
  sourceRoutes(app, context, authenticator);
  askingRoutes(app, context, asking, authenticator);
  activityRoutes(app, context, authenticator);
  auditRoutes(app, context, authenticator);
}
