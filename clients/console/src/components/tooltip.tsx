import { mergeProps } from "@base-ui/react/merge-props";
import {
  cloneElement,
  type FocusEvent,
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import type { TooltipPopupProps } from "./tooltip-popup.tsx";

// A table has one for each row, and a visit opens few: until then it costs four listeners and no script.
const TooltipPopup = lazy(() => import("./tooltip-popup.tsx"));

const OPEN_AFTER_MS = 300;
/** Long enough to get from the element onto the words, which may be to be selected. */
const CLOSE_AFTER_MS = 120;

export interface TooltipProps {
  text: ReactNode;
  /** One element that can have the keyboard. */
  children: ReactElement;
  side?: TooltipPopupProps["side"];
  /** False where the element says the same already, as an icon with a label does. */
  describes?: boolean;
  /** A finger cannot hover: where the text matters, pressing shows it too. */
  showOnPress?: boolean;
}

export function Tooltip(props: TooltipProps): ReactNode {
  const { text, children, side = "top", describes = true, showOnPress = false } = props;
  const [anchor, setAnchor] = useState<Element>();
  const after = useTimer();
  const id = useId();
  const close = (): void => after(0, () => setAnchor(undefined));
  const closeSoon = (): void => after(CLOSE_AFTER_MS, () => setAnchor(undefined));
  const open = (element: Element, delay = 0): void => after(delay, () => setAnchor(element));
  const listeners = {
    onPointerEnter: ({ pointerType, currentTarget }: PointerEvent) =>
      pointerType !== "touch" && open(currentTarget, OPEN_AFTER_MS),
    onPointerLeave: ({ pointerType }: PointerEvent) => pointerType !== "touch" && closeSoon(),
    onFocus: ({ currentTarget }: FocusEvent) => currentTarget.matches(":focus-visible") && open(currentTarget),
    onBlur: close,
    onKeyDown: ({ key }: KeyboardEvent) => key === "Escape" && close(),
    onClick: ({ currentTarget }: MouseEvent) => (showOnPress ? open(currentTarget) : close()),
    ...(describes && anchor && { "aria-describedby": id }),
  };
  return (
    <>
      {cloneElement(children, mergeProps(listeners as object, children.props as object))}
      {anchor && (
        <Suspense>
          <TooltipPopup
            id={id}
            anchor={anchor}
            side={side}
            onClose={close}
            onPointerEnter={() => open(anchor)}
            onPointerLeave={closeSoon}
          >
            {text}
          </TooltipPopup>
        </Suspense>
      )}
    </>
  );
}

/** Does the last thing that was asked for, after its time. */
function useTimer(): (delay: number, then: () => void) => void {
  const timer = useRef<number>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (delay, then) => {
    clearTimeout(timer.current);
    if (delay === 0) then();
    else timer.current = window.setTimeout(then, delay);
  };
}
