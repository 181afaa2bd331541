export { openDatabase, type AnyDb, type Database, type Db, type Tx } from "./open-database.ts";
export { sqlStateOf } from "./sql-state.ts";
export { isDatabaseUnavailable } from "./is-database-unavailable.ts";
export { migrate, pendingMigrations, type DatabaseRole, type MigrationSet } from "./migrate.ts";
export { ensureDailyPartition, maintainDailyPartitions } from "./daily-partitions.ts";
export { platformMigrations } from "./platform-migrations.ts";
export { databaseReadiness, waitUntilUp } from "./database-readiness.ts";
export { PREPARED } from "./prepare-marked.ts";
