import { Lock } from "lucide-react";
import { type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";
import { labelLook } from "./field-look.ts";
import { type Permission } from "./permission.ts";
import { Tooltip } from "./tooltip.tsx";

export interface SwitchProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  permission?: Permission | undefined;
  hint?: ReactNode;
  pending?: boolean | undefined;
  disabled?: boolean | undefined;
  hideLabel?: boolean;
}

export function Switch({
  label,
  checked,
  onChange,
  permission,
  hint,
  pending = false,
  disabled,
  hideLabel,
}: SwitchProps): ReactNode {
  const id = useId();
  const hintId = `${id}-hint`;
  const reasonId = `${id}-reason`;
  const forbidden = permission?.allowed === false;
  const blocked = forbidden || disabled === true;
  const toggle = (
    <button
      type="button"
      role="switch"
      id={id}
      aria-checked={checked}
      aria-busy={pending || undefined}
      aria-disabled={forbidden || pending || undefined}
      aria-describedby={classNames(hint !== undefined && hintId, forbidden && reasonId) || undefined}
      disabled={disabled}
      onClick={() => {
        if (!forbidden && !pending) onChange(!checked);
      }}
      className={classNames(track, checked ? trackOn : trackOff, blocked && "cursor-not-allowed opacity-50")}
    >
      <span
        className={classNames(
          thumb,
          checked ? "translate-x-3.5 bg-surface" : "bg-field-line",
          pending && "animate-pulse",
        )}
      />
    </button>
  );
  return (
    <div className="flex min-w-0 items-start gap-2.5">
      {/* 20 high like the line of text beside it; the press area reaches beyond what is seen. */}
      <span className="flex h-5 items-center">
        {forbidden ? (
          <Tooltip text={permission.reason} describes={false} showOnPress>
            {toggle}
          </Tooltip>
        ) : (
          toggle
        )}
      </span>
      <div className={hideLabel ? "sr-only" : "flex min-w-0 flex-col gap-0.5"}>
        <label htmlFor={id} className={classNames(labelLook, blocked ? "cursor-not-allowed" : "cursor-pointer")}>
          {label}
          {forbidden && <Lock aria-hidden size={12} className="ml-1.5 inline text-faint" />}
        </label>
        {hint !== undefined && (
          <p id={hintId} className="max-w-[70ch] min-w-0 text-xs text-muted wrap-anywhere">
            {hint}
          </p>
        )}
        {forbidden && (
          <span id={reasonId} hidden>
            {permission.reason}
          </span>
        )}
      </div>
    </div>
  );
}

const track =
  "relative inline-flex h-4.5 w-8 shrink-0 items-center rounded-full border p-0.5 transition-colors before:absolute before:-inset-x-1 before:-inset-y-1.5 before:content-[''] pointer-coarse:before:-inset-3";
const trackOn = "border-transparent bg-action";
const trackOff = "border-field-line bg-surface";
const thumb = "size-3 rounded-full transition-[background-color,translate]";
