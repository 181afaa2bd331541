declare const SVC_VERSION: string;

/** Written into the bundle when it is made. */
export const VERSION = typeof SVC_VERSION === "undefined" ? "0.0.0" : SVC_VERSION;
