/** Puts values into a path, each as one segment of it: `address`GET /api/wf/databases/${name}``. */
export function address(parts: TemplateStringsArray, ...segments: string[]): string {
  return parts.reduce((path, part, n) => path + encodeSegment(segments[n - 1] ?? "") + part);
}

function encodeSegment(segment: string): string {
  // A URL drops these, escaped or not, so that another address would be called.
  if (segment === "" || segment === "." || segment === "..") {
    throw new RangeError(`"${segment}" is not the name or id of anything`);
  }
  return encodeURIComponent(segment);
}

/** `?a=1&b=2` of those that have a value. */
export function queryOf(values: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? "" : `?${query.toString()}`;
}
