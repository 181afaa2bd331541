/** All that the protocol reads. The token is not among them, so that no tool can come by it. */
const READ_HEADERS = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];

export type MessageHeaders = Record<string, string>;

export function readHeaders(headers: Record<string, string | string[] | undefined>): MessageHeaders {
  const read: MessageHeaders = {};
  for (const name of READ_HEADERS) {
    const value = headers[name];
    if (typeof value === "string") read[name] = value;
  }
  return read;
}

/** Undefined for what is no JSON; the protocol has its own words for that. */
export function readJson(body: string | undefined): unknown {
  if (!body) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
