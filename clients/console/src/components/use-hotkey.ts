import { useEffect, useEffectEvent } from "react";
import { type KeyPress, matches, parseHotkey } from "./hotkey.ts";

const SEQUENCE_MS = 1_000;

/** Runs on a hotkey: "mod+k", "?", or "g s" for one press after another within a second. */
export function useHotkey(keys: string, run: () => void, enabled = true): void {
  const onMatch = useEffectEvent(run);
  useEffect(() => {
    if (!enabled) return;
    const presses = parseHotkey(keys);
    let done = 0;
    let last = 0;
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || isModifier(event.key)) return;
      if (event.timeStamp - last > SEQUENCE_MS) done = 0;
      // What breaks off a sequence may begin it anew, as in "g g s".
      if (!isPressed(presses[done], event)) done = 0;
      if (!isPressed(presses[done], event)) return;
      last = event.timeStamp;
      done += 1;
      if (done < presses.length) return;
      done = 0;
      event.preventDefault();
      onMatch();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [keys, enabled]);
}

function isPressed(press: KeyPress | undefined, event: KeyboardEvent): boolean {
  return press !== undefined && matches(press, event) && (press.mod || !isTaken(event.target));
}

function isModifier(key: string): boolean {
  return key === "Shift" || key === "Control" || key === "Alt" || key === "Meta";
}

/** A plain key belongs to whoever types, and to a dialog or menu that is open. */
function isTaken(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest("input, textarea, select, [contenteditable=true], [role=menu], [role=listbox]")) return true;
  return document.querySelector("[role=dialog], [role=alertdialog]") !== null;
}
