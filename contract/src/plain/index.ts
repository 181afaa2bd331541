// What a browser needs of the contract at run time: no zod in here, which would be a sixth of what it loads.
export * from "./bounds.ts";
export * from "./roles.ts";
