import { Check, Copy, X } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { IconButton } from "./icon-button.tsx";

type Outcome = "none" | "copied" | "failed";

const ICONS = { none: Copy, copied: Check, failed: X };
const WORDS = { none: "", copied: "Copied", failed: "Could not copy. Select it instead." };

export interface CopyButtonProps {
  text: string;
  /** A verb and its object: "Copy the command". */
  label: string;
  onCopied?: () => void;
}

export function CopyButton({ text, label, onCopied }: CopyButtonProps): ReactNode {
  const [outcome, setOutcome] = useState<Outcome>("none");
  useEffect(() => {
    if (outcome === "none") return;
    const timer = setTimeout(() => setOutcome("none"), outcome === "copied" ? 2_000 : 6_000);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
      onCopied?.();
    } catch {
      // The browser may refuse, and has no clipboard at all on a page without TLS.
      setOutcome("failed");
    }
  };
  return (
    <span className="relative inline-flex items-center gap-1">
      <span role="status" className={outcome === "failed" ? "text-xs text-danger" : "sr-only"}>
        {WORDS[outcome]}
      </span>
      <IconButton label={label} icon={ICONS[outcome]} onClick={() => void copy()} />
    </span>
  );
}
