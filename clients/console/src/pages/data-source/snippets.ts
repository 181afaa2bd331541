import type { SearchConfiguration } from "@svc/contract";

/** Ids and origins hold nothing that a shell would take for its own; what people wrote is put in quotes. */
export function saveConfigurationCommand(origin: string, sourceId: string, configuration: SearchConfiguration): string {
  return [
    `curl -X PUT "${origin}/api/wf/data-sources/${sourceId}" \\`,
    `  -H "Authorization: Bearer $SVC_API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d ${quoted(JSON.stringify(configuration, undefined, 2))}`,
  ].join("\n");
}

export function askCommand(origin: string, sourceId: string, question: string): string {
  return [
    `curl "${origin}/api/wf/slim/data-sources/${sourceId}/query" \\`,
    `  -H "Authorization: Bearer $SVC_API_KEY" \\`,
    `  -H "Accept: application/yaml" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d ${quoted(JSON.stringify({ query: question, top_k: 5 }))}`,
  ].join("\n");
}

export function svcCommands(origin: string, sourceId: string, question: string): string {
  return [`svc login --api-url ${origin}`, `svc datasource query ${sourceId} ${quoted(question)} --top-k 5`].join("\n");
}

export function claudeCodeCommand(mcpUrl: string): string {
  return `claude mcp add --transport http svc ${mcpUrl}`;
}

/** What the tool of the MCP server is called with. */
export function toolCall(sourceId: string, question: string): string {
  return JSON.stringify(
    { name: "data_source_query", arguments: { source_id: sourceId, query: question, top_k: 5 } },
    undefined,
    2,
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
