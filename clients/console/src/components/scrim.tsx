import { Dialog } from "@base-ui/react/dialog";
import type { ReactNode } from "react";

/** Darkens what is behind a dialog; the styles look for it to darken the room of the scrollbar as well. */
export function Scrim(): ReactNode {
  return (
    <Dialog.Backdrop
      data-scrim
      className="fixed inset-0 z-50 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
    />
  );
}
