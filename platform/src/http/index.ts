export {
  type Actor,
  isActorAssertion,
  readActorAssertion,
  type ReadActorAssertion,
  signActorAssertion,
} from "./actor-assertion.ts";
export {
  CONNECTOR_TOKEN_TYPE,
  connectorTokenKey,
  readConnectorToken,
  type ConnectorClaims,
} from "./connector-token.ts";
export { actorOf, originOf } from "./author.ts";
export { bearerToken, callerOf, requireCaller, requireRole } from "./authenticate.ts";
export { createServer, type Server, type ServerOptions } from "./create-server.ts";
export { exchange, type Exchanged, type OutgoingRequest } from "./exchange.ts";
export { sendNegotiated, wantsJson } from "./negotiate.ts";
export { readCursor, readPage } from "./paging.ts";
export { problems } from "./openapi.ts";
export { announceAlive } from "./revocations.ts";
export {
  keepServiceAssertion,
  recognizeService,
  requireService,
  SERVICE_HEADER,
  signServiceAssertion,
} from "./service-assertion.ts";
export { createAuthenticator, type Authenticator } from "./validate-token.ts";
export { noteFailure } from "./throttle-failures.ts";
export { toYaml, yamlKey, yamlScalar, yamlText } from "./yaml.ts";
