import { type ReactNode } from "react";
import { DialogFrame, type DialogProps } from "./dialog-frame.tsx";

export interface CentredDialogProps extends DialogProps {
  size?: "md" | "lg";
  role?: "dialog" | "alertdialog";
}

/** A form inside has an `id`, and the button in the footer the attribute `form` that names it. */
export function Dialog({ size = "md", ...rest }: CentredDialogProps): ReactNode {
  return (
    <DialogFrame
      {...rest}
      viewportClassName="items-center justify-center p-4"
      popupClassName={`max-h-full w-full rounded-lg border data-starting-style:translate-y-1 ${size === "lg" ? "max-w-2xl" : "max-w-md"}`}
    />
  );
}
