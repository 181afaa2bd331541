// Requests are strict, so that a typo is refused. Answers are not: a field that comes later must not break a client.
export * from "./activity.ts";
export * from "./api-tokens.ts";
export * from "./audit.ts";
export * from "./data-sources.ts";
export * from "./databases.ts";
export * from "./errors.ts";
export * from "./events.ts";
export * from "./health.ts";
export * from "./ids.ts";
export * from "./orgs.ts";
export * from "./paging.ts";
export * from "./questions.ts";
export * from "./roles.ts";
export * from "./sessions.ts";
export * from "./source-health.ts";
export * from "./support-sessions.ts";
export * from "./tokens.ts";
