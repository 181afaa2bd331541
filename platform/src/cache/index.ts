export { openCache, type Cache } from "./open-cache.ts";
