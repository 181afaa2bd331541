import { type LucideIcon } from "lucide-react";
import { type ReactNode } from "react";
import { Button, type ButtonProps } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { Tooltip } from "./tooltip.tsx";

export interface IconButtonProps extends Omit<ButtonProps, "children" | "icon"> {
  label: string;
  icon: LucideIcon;
}

export function IconButton({
  label,
  icon,
  size = "md",
  variant = "ghost",
  className,
  ...rest
}: IconButtonProps): ReactNode {
  const square = size === "sm" ? "w-7 px-0 pointer-coarse:w-10 pointer-coarse:px-0" : "w-8 px-0 pointer-coarse:w-10";
  const button = (
    <Button
      {...rest}
      aria-label={label}
      icon={icon}
      size={size}
      variant={variant}
      className={classNames(square, className)}
    />
  );
  // Where it is forbidden, the button's own tooltip gives the reason.
  if (rest.permission?.allowed === false) return button;
  return (
    <Tooltip text={label} describes={false}>
      {button}
    </Tooltip>
  );
}
