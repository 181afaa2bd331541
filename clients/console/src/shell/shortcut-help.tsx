import type { ReactNode } from "react";
import { KeyboardHelp } from "../components/keyboard-help.tsx";
import { ALL_DESTINATIONS } from "./destinations.ts";

const SHORTCUTS = [
  { keys: "mod+k", label: "Find or go to", group: "Anywhere" },
  { keys: "?", label: "Show these shortcuts", group: "Anywhere" },
  ...ALL_DESTINATIONS.map(({ keys, label }) => ({ keys, label, group: "Go to" })),
];

export default function ShortcutHelp({ onOpenChange }: { onOpenChange: (open: boolean) => void }): ReactNode {
  return <KeyboardHelp open onOpenChange={onOpenChange} shortcuts={SHORTCUTS} />;
}
