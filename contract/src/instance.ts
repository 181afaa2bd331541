import { z } from "zod";

/** What anyone may know of this installation. */
export const instanceSchema = z.object({
  /** Where agents connect; null where the operator has not said. */
  mcp_url: z.string().max(2_000).nullable(),
});
export type Instance = z.infer<typeof instanceSchema>;
