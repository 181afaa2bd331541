import type { MigrationSet } from "@svc/platform/db";
import { createOutbox, type Outbox } from "@svc/platform/outbox";

export { createApiToken } from "./api-tokens.ts";
export { deleteExpiredAccess } from "./connector/delete-expired.ts";
export { addClient, disableClient, enableClient, listClients } from "./connector/manage-clients.ts";
export { openConnector } from "./connector/open-connector.ts";
export { connectorSettings, readConnectorSettings, refuseHalfSetConnector } from "./connector/settings.ts";
export { BY_RULE, type IdentityContext } from "./context.ts";
export { createOrg, createOrgAsOperator } from "./create-org.ts";
export type { DB as IdentityTables } from "./db-types.ts";
export { connectorRoutes } from "./routes/connector/connector-routes.ts";
export { identityRoutes } from "./routes/identity-routes.ts";
export { signInRoutes } from "./routes/sign-in.ts";
export { deleteExpired } from "./sign-in/delete-expired.ts";
export { readSignInSettings, refuseHalfSetProviders, signInSettings } from "./sign-in/settings.ts";
export { addMember } from "./members.ts";
export { deriveTokenKeys } from "./token-keys.ts";
export { readUserToken, signUserToken } from "./user-token.ts";
export { validateToken } from "./validate-token.ts";
export { openWorkloadTokens } from "./workload/open-workload-tokens.ts";
export { workloadSettings } from "./workload/settings.ts";

export const identityMigrations: MigrationSet = {
  schema: "identity",
  directory: new URL("../migrations/", import.meta.url),
};

export const identityOutbox: Outbox = createOutbox("identity");
