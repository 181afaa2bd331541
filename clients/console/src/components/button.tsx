import { Lock, type LucideIcon } from "lucide-react";
import { type ComponentProps, type MouseEvent, type ReactNode, useId } from "react";
import { buttonLook, type ButtonSize, type ButtonVariant } from "./button-look.ts";
import { classNames } from "./class-names.ts";
import { type Permission } from "./permission.ts";
import { Spinner } from "./spinner.tsx";
import { Tooltip } from "./tooltip.tsx";

export interface ButtonProps extends ComponentProps<"button"> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: LucideIcon | undefined;
  pending?: boolean | undefined;
  permission?: Permission | undefined;
}

export function Button({
  variant,
  size,
  icon,
  pending = false,
  permission,
  type = "button",
  className,
  children,
  onClick,
  disabled,
  ...rest
}: ButtonProps): ReactNode {
  const reasonId = useId();
  const forbidden = permission !== undefined && !permission.allowed;
  const hasText = children !== undefined;
  const Icon = forbidden && hasText ? Lock : icon;
  const press = (event: MouseEvent<HTMLButtonElement>): void => {
    // A button that submits would still send its form.
    if (pending || forbidden) event.preventDefault();
    else onClick?.(event);
  };
  const button = (
    <button
      {...rest}
      type={type}
      disabled={disabled}
      onClick={press}
      aria-busy={pending || undefined}
      aria-disabled={pending || forbidden || rest["aria-disabled"]}
      aria-describedby={classNames(rest["aria-describedby"], forbidden && reasonId) || undefined}
      className={classNames(buttonLook({ variant, size, blocked: forbidden || disabled }), className)}
    >
      {pending && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner />
        </span>
      )}
      {/* Hidden by opacity and not taken out, so that the button keeps its width and its name. */}
      <span className={classNames("inline-flex min-w-0 items-center gap-1.5", pending && "opacity-0")}>
        {Icon && <Icon aria-hidden size={hasText || size === "sm" ? 14 : 16} className="shrink-0" />}
        {hasText && <span className="truncate">{children}</span>}
      </span>
      {forbidden && (
        <span id={reasonId} hidden>
          {permission.reason}
        </span>
      )}
    </button>
  );
  if (!forbidden) return button;
  return (
    <Tooltip text={permission.reason} describes={false} showOnPress>
      {button}
    </Tooltip>
  );
}
