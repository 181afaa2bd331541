import { Fragment, type ReactNode } from "react";
import { keyLabels, parseHotkey } from "./hotkey.ts";

/** Keys of a hotkey: "mod+k", "shift+?", or one press after another: "g s". */
export function Kbd({ keys }: { keys: string }): ReactNode {
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-2xs text-muted">
      {parseHotkey(keys).map((press, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={index}>
          {index > 0 && <span className="text-faint">then</span>}
          {keyLabels(press).map((name) => (
            <kbd
              key={name}
              className="inline-grid h-5 min-w-5 place-items-center rounded-sm border border-line-strong bg-sunken px-1 font-sans text-2xs font-medium text-muted"
            >
              {name}
            </kbd>
          ))}
        </Fragment>
      ))}
    </span>
  );
}
