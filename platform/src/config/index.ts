export { reportConfigProblems, readConfig, ConfigError } from "./read-config.ts";
export { secret, portSetting, urlSetting, listSetting, switchSetting } from "./settings.ts";
