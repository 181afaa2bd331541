import type { CommandNode, CommandTree } from "./command-tree.ts";

/** Words are taken from the line itself: bash breaks them at colons, which a context named by host and port has. */
export function bashCompletion({ nodes, valueOptions }: CommandTree): string {
  const taking = valueOptions.flatMap(({ names }) => names).join("|");
  const values = valueOptions.map(({ names, values }) => `    ${names.join("|")}) words="${wordsOf(values)}" ;;`);
  const paths = nodes.filter(({ path }) => path !== "").map(({ path }) => `"${path}"`);
  return `# Completion of svc for bash. To load it in each shell, add to ~/.bashrc: source <(svc completion bash)
_svc_contexts() { svc context list --quiet 2>/dev/null; }

_svc() {
  local line=\${COMP_LINE:0:COMP_POINT} typed= path= word= value_of= words= current=
  read -ra typed <<<"$line"
  if [[ $line == *[[:space:]] ]]; then typed+=(""); fi
  current=\${typed[-1]}
  for word in "\${typed[@]:1:\${#typed[@]}-2}"; do
    if [[ $value_of ]]; then value_of=; continue; fi
    case $word in
    ${taking}) value_of=$word ;;
    -*) ;;
    *)
      case "\${path:+$path }$word" in
      ${paths.join("|")}) path="\${path:+$path }$word" ;;
      esac
      ;;
    esac
  done
  if [[ $value_of ]]; then
    case $value_of in
${values.join("\n")}
    esac
  else
    case $path in
${nodes.map(pathCase).join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
    COMPREPLY=("\${COMPREPLY[@]#"\${current%"\${current##*:}"}"}")
  fi
}
complete -F _svc svc
`;
}

function pathCase({ path, commands, options, operands }: CommandNode): string {
  const words = [...commands, ...options].map(({ name }) => name);
  return `    "${path}") words="${[...words, wordsOf(operands)].join(" ")}" ;;`;
}

function wordsOf(values: CommandNode["operands"]): string {
  return values === "contexts" ? "$(_svc_contexts)" : (values ?? []).join(" ");
}
