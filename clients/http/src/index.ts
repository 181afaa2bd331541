export { createApiClient, ApiProblem, type ApiClient } from "./api-client.ts";
