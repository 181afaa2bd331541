import { Check, Copy, Eye, EyeOff } from "lucide-react";
import { type ReactNode, useEffect, useId, useState } from "react";
import { Button } from "./button.tsx";
import { labelLook } from "./field-look.ts";
import { IconButton } from "./icon-button.tsx";
import { MessageLine } from "./message-line.tsx";

export interface SecretOnceProps {
  secret: string;
  label: string;
  onDone: () => void;
}

type Warning = "not-copied" | "clipboard-refused";

const warnings: Record<Warning, string> = {
  "not-copied":
    "You have not copied it, and it cannot be shown again. Copy it, or press once more to go on without it.",
  "clipboard-refused": "The browser did not allow copying. Select the text above and copy it yourself.",
};

export function SecretOnce({ secret, label, onDone }: SecretOnceProps): ReactNode {
  const labelId = useId();
  const [revealed, setRevealed] = useState(false);
  const [copied, setCopied] = useState(false);
  const [warning, setWarning] = useState<Warning>();
  useWarningBeforeLeaving(!copied);

  const noteCopy = (): void => {
    setCopied(true);
    setWarning(undefined);
  };
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(secret);
      noteCopy();
    } catch {
      setRevealed(true);
      setWarning("clipboard-refused");
    }
  };
  const finish = (): void => {
    if (copied || warning === "not-copied") onDone();
    else setWarning("not-copied");
  };

  return (
    <section aria-labelledby={labelId} className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-col gap-1.5">
        <span id={labelId} className={labelLook}>
          {label}
        </span>
        <div className="flex items-start gap-1 rounded-md border border-line-strong bg-sunken p-1">
          <code onCopy={noteCopy} className="min-w-0 flex-1 self-center px-1.5 py-1 font-mono text-sm break-all">
            {revealed ? secret : <Mask />}
          </code>
          <IconButton
            size="sm"
            label={revealed ? `Hide ${label}` : `Reveal ${label}`}
            icon={revealed ? EyeOff : Eye}
            onClick={() => setRevealed(!revealed)}
          />
        </div>
        <span role="status" className="sr-only">
          {copied && "Copied"}
        </span>
        <p className="text-xs text-muted">This is shown once. Keep it where secrets are kept.</p>
      </div>
      {warning && <MessageLine tone="warn">{warnings[warning]}</MessageLine>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={finish} variant={copied ? "primary" : "secondary"}>
          {warning === "not-copied" ? "Go on without it" : "Done"}
        </Button>
        <Button
          // What one comes here for. The eye above would greet the keyboard with its tooltip.
          data-begin-here
          onClick={() => void copy()}
          icon={copied ? Check : Copy}
          variant={copied ? "secondary" : "primary"}
        >
          {copied ? "Copied" : "Copy"}
        </Button>
      </div>
    </section>
  );
}

function Mask(): ReactNode {
  return (
    <>
      <span aria-hidden>{"•".repeat(24)}</span>
      <span className="sr-only">Hidden</span>
    </>
  );
}

function useWarningBeforeLeaving(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [active]);
}
