import { Eye, EyeOff } from "lucide-react";
import { type ReactNode, useState } from "react";
import { CopyButton } from "../../components/copy-button.tsx";
import { IconButton } from "../../components/icon-button.tsx";

/** Something that nobody should read over a shoulder. */
export function HiddenText({ label, text }: { label: string; text: string }): ReactNode {
  const [isShown, setShown] = useState(false);
  return (
    <div
      role="group"
      aria-label={label}
      className="flex items-start gap-1 rounded-md border border-line-strong bg-sunken p-1"
    >
      <code className="min-w-0 flex-1 self-center px-1.5 py-1 font-mono text-sm break-all">
        {isShown ? (
          text
        ) : (
          <>
            <span aria-hidden>{"•".repeat(24)}</span>
            <span className="sr-only">Hidden</span>
          </>
        )}
      </code>
      <IconButton
        label={isShown ? "Hide it" : "Show it"}
        icon={isShown ? EyeOff : Eye}
        onClick={() => setShown(!isShown)}
      />
      <CopyButton label={`Copy: ${label}`} text={text} />
    </div>
  );
}
