import type { Command } from "commander";
import { bashCompletion } from "../completion/bash.ts";
import { readCommandTree } from "../completion/command-tree.ts";
import { fishCompletion } from "../completion/fish.ts";
import { zshCompletion } from "../completion/zsh.ts";
import { printData } from "../output/print.ts";

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

export function printCompletion(program: Command, shell: string): void {
  printData(SHELLS[shell as keyof typeof SHELLS](readCommandTree(program)));
}
