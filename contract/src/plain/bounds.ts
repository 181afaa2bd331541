export const MAX_HITS = 20;
export const DEFAULT_HITS = 10;
/** Of the body as it is sent, in whichever format. */
export const MAX_ANSWER_BYTES = 16_384;

/** Part of a data source's public id, so it has only what an address and a shell take as it is. */
export const DATABASE_NAME = /^[a-z][a-z0-9_]*$/;
export const MAX_DATABASE_NAME = 40;
export const DATABASE_NAME_RULE = "must start with a letter and have only a-z, 0-9 and _";

/** From worst to best. */
export const FINDING_LEVELS = ["error", "warning", "ok"] as const;

/** The query parameter in which an app on another origin gets its code. */
export const EXCHANGE_CODE_PARAMETER = "svc_code";
