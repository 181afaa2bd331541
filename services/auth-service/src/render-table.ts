/** Columns as wide as their widest value, for a terminal. */
export function renderTable(rows: Record<string, string>[]): string {
  const [first] = rows;
  if (!first) return "None.\n";
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => row[name] ?? ""))];
  const widths = names.map((_name, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map(
      (line) =>
        `${line
          .map((value, column) => value.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}
