import type { Command, Help, Option } from "commander";

export interface CommandNode {
  /** Empty for svc itself. */
  path: string;
  commands: Entry[];
  options: Entry[];
  /** What its first operand can be, where that is known. */
  operands: Values;
}

type Values = readonly string[] | "contexts" | undefined;

interface Entry {
  name: string;
  description: string;
}

/** An option whose next word is its value, in all its spellings. */
interface ValueOption {
  names: string[];
  values: Values;
}

export interface CommandTree {
  nodes: CommandNode[];
  valueOptions: ValueOption[];
}

export function readCommandTree(program: Command): CommandTree {
  const nodes: CommandNode[] = [];
  const valueOptions = new Map<string, ValueOption>();
  const visit = (command: Command, path: string[]): void => {
    const help = command.createHelp();
    const options = [...help.visibleOptions(command), ...globalOptions(help, command)];
    for (const option of options) if (option.required) valueOptions.set(option.flags, toValueOption(option));
    nodes.push({
      path: path.join(" "),
      commands: help
        .visibleCommands(command)
        .map((child) => ({ name: child.name(), description: child.description() })),
      options: options.map((option) => ({ name: option.long ?? option.flags, description: option.description })),
      operands: operandsOf(command, path),
    });
    for (const child of command.commands) visit(child, [...path, child.name()]);
  };
  visit(program, []);
  return { nodes, valueOptions: [...valueOptions.values()] };
}

function operandsOf({ registeredArguments: [first] }: Command, [topic]: string[]): Values {
  return first && topic === "context" ? "contexts" : first?.argChoices;
}

function globalOptions(help: Help, command: Command): Option[] {
  help.showGlobalOptions = true;
  return help.visibleGlobalOptions(command);
}

function toValueOption({ short, long, argChoices }: Option): ValueOption {
  const names = [short, long].filter((name) => name !== undefined);
  return { names, values: long === "--context" ? "contexts" : argChoices };
}
