import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactNode } from "react";

export interface TooltipPopupProps {
  id: string;
  /** What it stands beside. */
  anchor: Element;
  side: "top" | "bottom" | "left" | "right";
  onClose: () => void;
  onPointerEnter: () => void;
  onPointerLeave: () => void;
  children: ReactNode;
}

export default function TooltipPopup(props: TooltipPopupProps): ReactNode {
  const { id, anchor, side, onClose, children, ...pointer } = props;
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} side={side} sideOffset={6} collisionPadding={8} className="z-60">
          <Base.Popup
            id={id}
            role="tooltip"
            {...pointer}
            className="max-w-72 rounded-md bg-action px-2 py-1 text-xs text-on-action shadow-float transition-opacity wrap-anywhere data-starting-style:opacity-0"
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
