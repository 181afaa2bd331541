/** What a person may do; `reason` says in a sentence why not, and what it takes. */
export interface Permission {
  allowed: boolean;
  reason: string;
}
