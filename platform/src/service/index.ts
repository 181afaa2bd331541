export { runService, type ServiceContext } from "./run-service.ts";
export { serviceSettings } from "./settings.ts";
export { authServiceUrlSetting, cacheUrlSetting, databaseUrlSetting, keySetting } from "./connection-settings.ts";
export { runMigrations } from "./run-migrations.ts";
