export interface Finding {
  check: "node" | "login file" | "proxy" | "login" | "name" | "connection" | "key" | "clock";
  /** Skipped: what it needs is broken itself. */
  level: "ok" | "warn" | "fail" | "skip";
  message: string;
  /** What to do about it. */
  advice?: string;
}
