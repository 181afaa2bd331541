import { createLink } from "@tanstack/react-router";
import { type LucideIcon } from "lucide-react";
import { type ComponentProps, type ReactNode } from "react";
import { buttonLook, type ButtonSize, type ButtonVariant } from "./button-look.ts";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { type Permission } from "./permission.ts";

interface AnchorProps extends ComponentProps<"a"> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: LucideIcon | undefined;
  permission?: Permission | undefined;
}

function Anchor({ variant, size, icon: Icon, permission, className, children, ...rest }: AnchorProps): ReactNode {
  if (permission?.allowed === false) {
    return (
      <Button variant={variant} size={size} icon={Icon} permission={permission} className={className}>
        {children}
      </Button>
    );
  }
  return (
    <a {...rest} className={classNames(buttonLook({ variant, size }), className)}>
      {Icon && <Icon aria-hidden size={14} className="shrink-0" />}
      <span className="truncate">{children}</span>
    </a>
  );
}

/** A link of the router that looks like a button: for what leads to another page. */
export const LinkButton = createLink(Anchor);
