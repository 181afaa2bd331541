/** A field of the problem, or of one of its `problems`, the first of which stands behind a dash. */
const LINE = /^( {2}- | {4}|)([a-z_]+): (.+)$/;

/**
 * A problem in the one shape in which the service writes YAML: a field a line, its value as in JSON. A reader of all of
 * YAML would be larger than the rest of this client.
 */
export function readYamlProblem(text: string): Record<string, unknown> {
  const problem: Record<string, unknown> = {};
  const problems: Record<string, unknown>[] = [];
  for (const line of text.split("\n")) {
    const [, lead, name, value] = LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    if (lead === "  - ") problems.push({});
    const fields = lead === "" ? problem : problems.at(-1);
    if (fields) fields[name] = parse(value);
  }
  return problems.length > 0 ? { ...problem, problems } : problem;
}

function parse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
