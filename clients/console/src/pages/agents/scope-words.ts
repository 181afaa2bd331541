import type { Scope } from "@svc/contract";

const WORDS: Record<Scope, string> = {
  "data:read": "Ask data sources",
  "notifications:read": "Read notifications",
  "notifications:write": "Change notifications",
  "apps:read": "See apps",
};

/** A scope that came after this console is shown by its name. */
export function scopeInWords(scope: string): string {
  return Object.hasOwn(WORDS, scope) ? WORDS[scope as Scope] : scope;
}
