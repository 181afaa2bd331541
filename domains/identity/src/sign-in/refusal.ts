/** Every way in which a person can fail to get in. Each has a page that says what to do next. */
export const REFUSAL_KINDS = [
  "state-lost",
  "provider-refused",
  "provider-unavailable",
  "unknown-provider",
  "tenant-not-allowed",
  "no-address",
  "account-exists",
  "redirect-not-allowed",
  "from-elsewhere",
  "throttled",
  "bad-request",
  "unavailable",
  "internal",
] as const;
export type RefusalKind = (typeof REFUSAL_KINDS)[number];

/** Ends an attempt to sign in with a page. The reason is for the log. */
export class SignInRefused extends Error {
  readonly kind: RefusalKind;

  constructor(kind: RefusalKind, reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = "SignInRefused";
    this.kind = kind;
  }
}
