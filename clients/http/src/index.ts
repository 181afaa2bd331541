export { createApiClient, type ActivityPage, type ApiClient } from "./api-client.ts";
export { ApiProblem, ConnectionFailed } from "./api-problem.ts";
export type { ApiClientOptions } from "./call-api.ts";
export type { Send, SendRequest, SendResponse } from "./send-with-fetch.ts";
