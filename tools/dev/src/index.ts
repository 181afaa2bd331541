export { buildConsole } from "./console.ts";
export { createMissing, databaseUrl, prepareDatabases } from "./databases.ts";
export { standInVector, startEmbeddingStandIn, type EmbeddingStandIn } from "./embedding-stand-in.ts";
export { startLocalProvider, type LocalPerson, type LocalProvider } from "./local-provider.ts";
export { ROOT, startPrivateServices, type PrivateServices } from "./private-services.ts";
export { makeSecrets, type StackSecrets } from "./secrets.ts";
export { startServiceProcess, type ServiceProcess } from "./service-process.ts";
export { prepareStack, type Stack } from "./stack.ts";
export { defineServices, LOCAL_MODEL, type ServiceDefinition, type ServiceName } from "./services.ts";
