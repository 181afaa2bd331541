import { WrapText } from "lucide-react";
import { type ReactNode, useState } from "react";
import { CopyButton } from "./copy-button.tsx";
import { inSentence } from "./in-sentence.ts";
import { IconButton } from "./icon-button.tsx";

export interface CodeBlockProps {
  code: string;
  language?: string;
  /** What it is: "Command to connect". */
  label: string;
  /** Whether long lines are wrapped at first. */
  wrap?: boolean;
  /** In pixels; what is longer scrolls. */
  maxHeight?: number;
}

export function CodeBlock({ code, language, label, wrap = false, maxHeight }: CodeBlockProps): ReactNode {
  const [wrapped, setWrapped] = useState(wrap);
  return (
    <figure className="min-w-0 overflow-clip rounded-md border border-line bg-sunken">
      <figcaption className="flex h-10 items-center gap-2 border-b border-line pr-1 pl-3 text-xs text-muted">
        <span className="min-w-0 flex-1 truncate">
          {label}
          {language && <span className="ml-2 font-mono text-2xs text-faint">{language}</span>}
        </span>
        <IconButton
          label="Wrap long lines"
          icon={WrapText}
          aria-pressed={wrapped}
          className="aria-pressed:bg-hover aria-pressed:text-ink"
          onClick={() => setWrapped(!wrapped)}
        />
        <CopyButton text={code} label={`Copy ${inSentence(label)}`} />
      </figcaption>
      <pre
        // What scrolls must be reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label={label}
        style={{ maxHeight }}
        className={`overflow-auto p-3 font-mono text-xs leading-5 -outline-offset-2 ${wrapped ? "wrap-anywhere whitespace-pre-wrap" : ""}`}
      >
        <code>{code}</code>
      </pre>
    </figure>
  );
}

export function InlineCode({ children }: { children: ReactNode }): ReactNode {
  return (
    <code className="rounded-sm border border-line bg-sunken px-1 py-px font-mono text-[0.92em] break-words">
      {children}
    </code>
  );
}
