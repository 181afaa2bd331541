import type { CommandNode, CommandTree } from "./command-tree.ts";

export function fishCompletion({ nodes, valueOptions }: CommandTree): string {
  const taking = valueOptions.flatMap(({ names }) => names).join(" ");
  const paths = nodes.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  return `# Completion of svc for fish. To keep it: svc completion fish > ~/.config/fish/completions/svc.fish
function __svc_at
    set -l path
    set -l value_of ""
    for word in (commandline -opc)[2..-1]
        if test -n "$value_of"
            set value_of ""
        else if contains -- $word ${taking}
            set value_of $word
        else if contains -- (string join " " -- $path $word) ${paths.join(" ")}
            set -a path $word
        end
    end
    test -z "$value_of"; and test (string join " " -- $path) = "$argv[1]"
end

complete -c svc -f
${nodes.flatMap(linesOf).join("\n")}
${valueOptions.map(valueLine).join("\n")}
`;
}

function linesOf({ path, commands, options, operands }: CommandNode): string[] {
  const condition = `complete -c svc -n ${quoted(`__svc_at ${quoted(path)}`)}`;
  const entries = [...commands, ...options].map(
    ({ name, description }) => `${condition} -a ${quoted(name)} -d ${quoted(description)}`,
  );
  return operands ? [...entries, `${condition} -a ${wordsOf(operands)}`] : entries;
}

function valueLine({ names, values }: CommandTree["valueOptions"][number]): string {
  const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(" ");
  return `complete -c svc ${flags} -x${values ? ` -a ${wordsOf(values)}` : ""}`;
}

function wordsOf(values: NonNullable<CommandNode["operands"]>): string {
  return values === "contexts" ? '"(svc context list --quiet 2>/dev/null)"' : quoted(values.join(" "));
}

/** Only the quote and the backslash mean something in single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
