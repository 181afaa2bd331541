import { Tooltip as Base } from "@base-ui/react/tooltip";
import { type ReactElement, type ReactNode, useId, useState } from "react";

export interface TooltipProps {
  text: ReactNode;
  /** One element that can have the keyboard. */
  children: ReactElement;
  side?: "top" | "bottom" | "left" | "right";
  /** False where the element says the same already, as an icon with a label does. */
  describes?: boolean;
  /** A finger cannot hover: where the text matters, pressing shows it too. */
  showOnPress?: boolean;
}

export function Tooltip({
  text,
  children,
  side = "top",
  describes = true,
  showOnPress = false,
}: TooltipProps): ReactNode {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <Base.Root open={open} onOpenChange={setOpen}>
      <Base.Trigger
        render={children}
        delay={300}
        closeOnClick={!showOnPress}
        {...(describes && open ? { "aria-describedby": id } : {})}
        {...(showOnPress ? { onClick: () => setOpen(true) } : {})}
      />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} collisionPadding={8} className="z-60">
          <Base.Popup
            id={id}
            role="tooltip"
            className="max-w-72 rounded-md bg-action px-2 py-1 text-xs text-on-action shadow-float transition-opacity wrap-anywhere data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
