export { servicesUnderTest } from "./services.ts";
export { createEmptyDatabase, createMigratedDatabase, silentLogger, type TestDatabase } from "./test-database.ts";
export { waitUntil } from "./wait-until.ts";
