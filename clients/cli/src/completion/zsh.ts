import type { CommandNode, CommandTree } from "./command-tree.ts";

export function zshCompletion({ nodes, valueOptions }: CommandTree): string {
  const taking = valueOptions.flatMap(({ names }) => names).join("|");
  const values = valueOptions.map(({ names, values }) => `    ${names.join("|")}) ${completeValue(values)} ;;`);
  const paths = nodes.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  return `#compdef svc
# Completion of svc for zsh. Put it where zsh looks for functions: svc completion zsh > "\${fpath[1]}/_svc"
_svc_contexts() {
  local -a names=(\${(f)"$(svc context list --quiet 2>/dev/null)"})
  compadd -a names
}

_svc() {
  local location= word= value_of=
  local -a entries
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $value_of ]]; then value_of=; continue; fi
    case $word in
      (${taking}) value_of=$word ;;
      (-*) ;;
      (*)
        case "\${location:+$location }$word" in
          (${paths.join("|")}) location="\${location:+$location }$word" ;;
        esac
        ;;
    esac
  done
  if [[ -n $value_of ]]; then
    case $value_of in
${values.map((line) => line.replace(/^ {4}/, "      (")).join("\n")}
    esac
    return
  fi
  case $location in
${nodes.map(pathCase).join("\n")}
  esac
  _describe -t commands svc entries
}

if [[ $funcstack[1] == _svc ]]; then _svc "$@"; else compdef _svc svc; fi
`;
}

function pathCase({ path, commands, options, operands }: CommandNode): string {
  const entries = [...commands, ...options].map(({ name, description }) =>
    quoted(`${name.replaceAll(":", "\\:")}:${description.replaceAll(":", "\\:")}`),
  );
  const first = operands ? `${completeValue(operands)}; ` : "";
  return `    (${quoted(path)}) ${first}entries=(${entries.join(" ")}) ;;`;
}

function completeValue(values: CommandNode["operands"]): string {
  if (values === "contexts") return "_svc_contexts";
  return values ? `compadd ${values.join(" ")}` : "_default";
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
