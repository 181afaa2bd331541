import { type ReactNode } from "react";
import { DialogFrame, type DialogProps } from "./dialog-frame.tsx";

/** From the right, for one thing of a list while the list stays in view; fills a phone. */
export function Drawer(props: DialogProps): ReactNode {
  return (
    <DialogFrame
      {...props}
      viewportClassName="justify-end"
      popupClassName="h-full w-full data-starting-style:translate-x-1 sm:w-xl sm:border-l"
    />
  );
}
