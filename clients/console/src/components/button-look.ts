import { classNames } from "./class-names.ts";

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = "sm" | "md";

const shape =
  "relative inline-flex max-w-full shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap select-none transition-colors";

const sizes: Record<ButtonSize, string> = {
  sm: "h-7 px-2 text-xs pointer-coarse:h-10 pointer-coarse:px-3",
  md: "h-8 px-3 text-sm pointer-coarse:h-10",
};

const variants: Record<ButtonVariant, string> = {
  primary: "border-transparent bg-action text-on-action hover:bg-action-hover",
  secondary: "border-line-strong bg-surface text-ink hover:bg-hover",
  ghost: "border-transparent text-muted hover:bg-hover hover:text-ink aria-expanded:bg-hover aria-expanded:text-ink",
  danger: "border-transparent bg-danger-fill text-on-danger hover:opacity-90",
};

/** Without a colour of its own, so that it is not taken for the thing to do, yet still readable. */
const blocked = "cursor-not-allowed border-line bg-sunken text-faint";
const blockedGhost = "cursor-not-allowed border-transparent text-faint opacity-70";

export interface ButtonLook {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  blocked?: boolean | undefined;
}

export function buttonLook({ variant = "secondary", size = "md", blocked: isBlocked = false }: ButtonLook): string {
  const blockedLook = variant === "ghost" ? blockedGhost : blocked;
  return classNames(shape, sizes[size], isBlocked ? blockedLook : variants[variant]);
}
