export { createApiClient, type ApiClient } from "./api-client.ts";
export { ApiProblem, ConnectionFailed } from "./api-problem.ts";
export type { ActivityPage } from "./asking-calls.ts";
export type { ApiClientOptions } from "./call-api.ts";
export type { Page, PageQuery, ScopedPageQuery } from "./page.ts";
export type { Send, SendRequest, SendResponse } from "./send-with-fetch.ts";
