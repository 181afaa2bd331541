import type * as Contract from "@svc/contract";
import { type AccessCalls, accessCalls } from "./access-calls.ts";
import { type AskingCalls, askingCalls } from "./asking-calls.ts";
import { type ApiClientOptions, createCalls } from "./call-api.ts";
import { type DataSourceCalls, dataSourceCalls } from "./data-source-calls.ts";
import { type DatabaseCalls, databaseCalls } from "./database-calls.ts";
import { type OrganizationCalls, organizationCalls } from "./organization-calls.ts";
import { type SessionCalls, sessionCalls } from "./session-calls.ts";

export interface ApiClient
  extends SessionCalls, OrganizationCalls, AccessCalls, DatabaseCalls, DataSourceCalls, AskingCalls {
  /** Whom the service takes this token for. */
  whoAmI(): Promise<Contract.Caller>;
  /** What anyone may know of this installation. */
  instance(): Promise<Contract.Instance>;
}

export function createApiClient(options: ApiClientOptions): ApiClient {
  const calls = createCalls(options);
  return {
    whoAmI: () => calls.call("GET /api/me", (c) => c.callerSchema),
    instance: () => calls.call("GET /api/instance", (c) => c.instanceSchema),
    ...sessionCalls(calls),
    ...organizationCalls(calls),
    ...accessCalls(calls),
    ...databaseCalls(calls),
    ...dataSourceCalls(calls),
    ...askingCalls(calls),
  };
}
