export { bearerToken, callerOf, requireCaller, requireRole } from "./authenticate.ts";
export { createServer, type Server } from "./create-server.ts";
export { sendNegotiated } from "./negotiate.ts";
export { problems } from "./openapi.ts";
export { requireService, signServiceAssertion } from "./service-assertion.ts";
export { createAuthenticator, type Authenticator } from "./validate-token.ts";
export { toYaml } from "./yaml.ts";
