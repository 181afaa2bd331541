import type { Tool as ToolDefinition } from "@modelcontextprotocol/server";
import type { ApiClient } from "@svc/http-client";
import { z } from "zod";

export interface Tool {
  /** As agents see it. */
  definition: ToolDefinition;
  /** The answer as JSON, the way the gateway wrote it. */
  run(api: ApiClient, input: Record<string, unknown>): Promise<string>;
}

/** Nothing here changes anything, and the sources are known: no step outside the organization. */
export const READS_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** Made once: to write a schema out takes longer than to answer a call. */
export function writeSchema(schema: z.ZodType, io: "input" | "output"): ToolDefinition["inputSchema"] {
  const { $schema: _draft, ...written } = z.toJSONSchema(schema, { io });
  return written as ToolDefinition["inputSchema"];
}
