export { createMissing, databaseUrl, prepareDatabases } from "./databases.ts";
export { startLocalProvider, type LocalPerson, type LocalProvider } from "./local-provider.ts";
export { makeSecrets, type StackSecrets } from "./secrets.ts";
export { startServiceProcess, type ServiceProcess } from "./service-process.ts";
export { defineServices, type ServiceDefinition, type ServiceName } from "./services.ts";
