export { type AuthStandIn, startAuthStandIn, validAnswer } from "./auth-stand-in.ts";
export { COMPILE_CACHE } from "./compile-cache.ts";
export { startPrivateRedis, type PrivateRedis } from "./private-redis.ts";
export { recordingLogger } from "./recording-logger.ts";
export { servicesUnderTest } from "./services.ts";
export { createEmptyDatabase, createMigratedDatabase, silentLogger, type TestDatabase } from "./test-database.ts";
export { temporaryMigrations } from "./temporary-migrations.ts";
export { waitUntil } from "./wait-until.ts";
