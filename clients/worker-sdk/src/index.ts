export { type ApiClient, ApiProblem } from "@svc/http-client";
export { createWorkerClient, type WorkerClientOptions } from "./worker-client.ts";
export { createWorkerIdentity, type WorkerIdentity, type WorkerIdentityOptions } from "./worker-identity.ts";
