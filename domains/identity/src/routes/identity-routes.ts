import type { Server } from "@svc/platform/http";
import type { Outbox } from "@svc/platform/outbox";
import type { IdentityContext } from "../context.ts";
import type { WorkloadTokens } from "../validate-token.ts";
import { apiTokenRoutes } from "./api-tokens.ts";
import { auditRoutes } from "./audit.ts";
import { grantRoutes } from "./grants.ts";
import { createGuard } from "./guard.ts";
import { invitationRoutes, memberRoutes } from "./members.ts";
import { operatorRoutes } from "./operator.ts";
import { orgRoutes } from "./orgs.ts";
import { tokenRoutes } from "./tokens.ts";

interface IdentityRoutesOptions {
  context: IdentityContext;
  outbox: Outbox;
  operatorToken: string | undefined;
  workloads?: WorkloadTokens | undefined;
}

/** Every route of identity but signing in. */
export async function identityRoutes(app: Server, options: IdentityRoutesOptions): Promise<void> {
  const { context, outbox, workloads } = options;
  const guard = createGuard(options);
  tokenRoutes(app, context, guard, workloads);
  orgRoutes(app, context, guard);
  memberRoutes(app, context, guard);
  invitationRoutes(app, context, guard);
  apiTokenRoutes(app, context, guard);
  grantRoutes(app, context, guard);
  auditRoutes(app, context, guard);
  operatorRoutes(app, context, outbox, guard);
}
