export * from "./errors.ts";
export * from "./events.ts";
export * from "./health.ts";
export * from "./ids.ts";
export * from "./paging.ts";
export * from "./roles.ts";
export * from "./tokens.ts";
