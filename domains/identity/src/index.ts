import type { MigrationSet } from "@svc/platform/db";
import { createOutbox, type Outbox } from "@svc/platform/outbox";

export const identityMigrations: MigrationSet = {
  schema: "identity",
  directory: new URL("../migrations/", import.meta.url),
};

export const identityOutbox: Outbox = createOutbox("identity");

export { createApiToken } from "./create-api-token.ts";
export { createOrg } from "./create-org.ts";
export type { DB as IdentityTables } from "./db-types.ts";
export { identityRoutes } from "./routes.ts";
export { deriveTokenKeys } from "./token-keys.ts";
