export { bearerToken, callerOf, requireCaller, requireRole } from "./authenticate.ts";
export { createServer, type Server, type ServerOptions } from "./create-server.ts";
export { sendNegotiated } from "./negotiate.ts";
export { problems } from "./openapi.ts";
export { announceAlive } from "./revocations.ts";
export { keepServiceAssertion, recognizeService, requireService, signServiceAssertion } from "./service-assertion.ts";
export { createAuthenticator, type Authenticator } from "./validate-token.ts";
export { noteFailure } from "./throttle-failures.ts";
export { toYaml } from "./yaml.ts";
