import type { Tool as ToolDefinition } from "@modelcontextprotocol/server";
import type { ApiClient } from "@svc/http-client";
import { dataSourceQuery } from "./data-source-query.ts";
import { dataSourcesList } from "./data-sources-list.ts";
import { describeToolError } from "./tool-error.ts";

const TOOLS = [dataSourcesList, dataSourceQuery];
const BY_NAME = new Map(TOOLS.map((tool) => [tool.definition.name, tool]));

export const TOOL_DEFINITIONS: ToolDefinition[] = TOOLS.map(({ definition }) => definition);

export interface ToolCall {
  name: string;
  input: Record<string, unknown>;
}

export interface ToolRun {
  api: ApiClient;
  requestId: string;
  log: { error(details: object, text: string): void };
}

/** JSON, or words about what went wrong. */
export interface ToolOutcome {
  text: string;
  isError: boolean;
}

export function hasTool(name: string): boolean {
  return BY_NAME.has(name);
}

export async function runTool({ name, input }: ToolCall, { api, requestId, log }: ToolRun): Promise<ToolOutcome> {
  const tool = BY_NAME.get(name);
  if (!tool) throw new Error("no such tool");
  try {
    return { text: await tool.run(api, input), isError: false };
  } catch (error) {
    const known = describeToolError(error);
    if (known !== undefined) return { text: known, isError: true };
    log.error({ err: error, tool: name }, "tool failed");
    const words = "Something went wrong on our side. If it stays so, give support the request id";
    return { text: `INTERNAL: ${words} ${requestId}.`, isError: true };
  }
}
