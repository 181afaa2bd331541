import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

export type Tone = "neutral" | "ok" | "warn" | "danger" | "info";

const CHIP: Record<Tone, string> = {
  neutral: "bg-sunken text-muted",
  ok: "bg-ok-soft text-ok",
  warn: "bg-warn-soft text-warn",
  danger: "bg-danger-soft text-danger",
  info: "bg-info-soft text-info",
};

export interface ChipProps {
  tone?: Tone;
  icon?: LucideIcon;
  children: ReactNode;
}

/** The state or kind of a thing, in a word. */
export function Chip({ tone = "neutral", icon: Icon, children }: ChipProps): ReactNode {
  return (
    <span
      className={`inline-flex h-5 max-w-full items-center gap-1 rounded-sm px-1.5 text-xs font-medium whitespace-nowrap ${CHIP[tone]}`}
    >
      {Icon && <Icon aria-hidden className="size-3 shrink-0" />}
      <span className="truncate">{children}</span>
    </span>
  );
}

const DOT: Record<Tone, string> = {
  neutral: "bg-faint",
  ok: "bg-ok",
  warn: "bg-warn",
  danger: "bg-danger",
  info: "bg-info",
};

/** Quieter than a chip, for a column of states. The word is what says it; the dot only lets the eye run down. */
export function StatusDot({ tone = "neutral", children }: Omit<ChipProps, "icon">): ReactNode {
  return (
    <span className="inline-flex max-w-full items-center gap-2 text-sm">
      <span aria-hidden className={`size-2 shrink-0 rounded-full ${DOT[tone]}`} />
      <span className="truncate">{children}</span>
    </span>
  );
}
