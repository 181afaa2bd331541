import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { classNames } from "./class-names.ts";
import { DialogBody, FOCUSABLE } from "./dialog-body.tsx";
import { IconButton } from "./icon-button.tsx";
import { Scrim } from "./scrim.tsx";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
  /** False where only what is in the footer leads on: no cross, and Escape does nothing. */
  closable?: boolean;
}

interface DialogFrameProps extends DialogProps {
  /** "alertdialog" asks for a decision: a press beside it does not close it. */
  role?: "dialog" | "alertdialog";
  viewportClassName: string;
  popupClassName: string;
}

/** What a dialog and a drawer share: title and footer stay, what is between them scrolls. */
export function DialogFrame(props: DialogFrameProps): ReactNode {
  const {
    open,
    onOpenChange,
    title,
    description,
    children,
    footer,
    closable = true,
    role = "dialog",
    viewportClassName,
    popupClassName,
  } = props;
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => (next || closable) && onOpenChange(next)}
      disablePointerDismissal={role === "alertdialog"}
    >
      <Base.Portal>
        <Scrim />
        <Base.Viewport className={classNames("fixed inset-0 z-50 flex", viewportClassName)}>
          <Base.Popup
            ref={popup}
            role={role}
            initialFocus={() => placeToBegin(popup.current)}
            className={classNames(
              "relative flex min-h-0 flex-col border-line bg-surface text-base text-ink shadow-float outline-none transition-[opacity,translate] data-ending-style:opacity-0 data-starting-style:opacity-0",
              popupClassName,
            )}
          >
            <header className="flex flex-col gap-1 px-5 py-4">
              <Base.Title className="pr-9 text-lg font-semibold wrap-anywhere">{title}</Base.Title>
              {description !== undefined && (
                <Base.Description
                  render={<div />}
                  className="max-w-[70ch] text-sm text-pretty text-muted wrap-anywhere"
                >
                  {description}
                </Base.Description>
              )}
            </header>
            {children !== undefined && children !== null && children !== false && <DialogBody>{children}</DialogBody>}
            {footer !== undefined && (
              <footer className="mt-auto flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
                {footer}
              </footer>
            )}
            {/* Last in order, so that the keyboard starts at what the dialog is about. */}
            {closable && (
              <Base.Close
                render={
                  <IconButton
                    data-cross
                    label="Close"
                    icon={X}
                    className="absolute! top-3 right-3 pointer-coarse:top-2 pointer-coarse:right-2"
                  />
                }
              />
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

/** What is marked as such, else the first. The cross is no place to begin at: its tooltip would open with the dialog. */
function placeToBegin(popup: HTMLElement | null): HTMLElement | null | true {
  const marked = popup?.querySelector<HTMLElement>("[data-begin-here]");
  if (marked) return marked;
  return popup?.querySelector(FOCUSABLE)?.matches("[data-cross]") ? popup : true;
}
