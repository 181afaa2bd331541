import { type ReactNode, useEffect, useRef, useState } from "react";

export const FOCUSABLE = "a[href], button, input, select, textarea, [tabindex]";

/** Scrolls by keyboard too: where nothing inside can have the keyboard, the part that scrolls has it. */
export function DialogBody({ children }: { children: ReactNode }): ReactNode {
  const body = useRef<HTMLDivElement>(null);
  const [needsFocus, setNeedsFocus] = useState(false);
  useEffect(() => {
    const element = body.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      setNeedsFocus(element.scrollHeight > element.clientHeight && element.querySelector(FOCUSABLE) === null),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={body}
      tabIndex={needsFocus ? 0 : undefined}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 pt-1 pb-5 focus-visible:-outline-offset-2"
    >
      {children}
    </div>
  );
}
