import type * as Contract from "@svc/contract";
import type { z } from "zod";

export interface Page<Item> {
  items: Item[];
  /** What to ask the next page with; null on the last. */
  next_cursor: string | null;
}

export type PageQuery = Partial<z.infer<typeof Contract.pageQuerySchema>>;
/** `mine`: the caller's own. `org`: everyone's in the organization, for owner and admin. */
export type ScopedPageQuery = PageQuery & { scope?: "mine" | "org" };
