/** One press of a hotkey such as "mod+k"; "g s" is two of them, one after the other. */
export interface KeyPress {
  key: string;
  mod: boolean;
  shift: boolean;
  alt: boolean;
}

export function parseHotkey(keys: string): KeyPress[] {
  return keys.split(" ").map((press) => {
    const parts = press.toLowerCase().split("+");
    return {
      key: parts.at(-1) ?? "",
      mod: parts.includes("mod"),
      shift: parts.includes("shift"),
      alt: parts.includes("alt"),
    };
  });
}

function isApple(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform);
}

/** Signs such as "?" need the shift key on most keyboards, so it counts only where the hotkey names it or a letter. */
export function matches(press: KeyPress, event: KeyboardEvent): boolean {
  const mod = isApple() ? event.metaKey : event.ctrlKey;
  const other = isApple() ? event.ctrlKey : event.metaKey;
  if (event.key.toLowerCase() !== press.key || mod !== press.mod || other || event.altKey !== press.alt) return false;
  return event.shiftKey === press.shift || !/^[a-z]$/.test(press.key);
}

const names: Record<string, string> = {
  enter: "Enter",
  escape: "Esc",
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  tab: "Tab",
  space: "Space",
};

/** The keys as they are written on the keyboard in use. */
export function keyLabels({ key, mod, shift, alt }: KeyPress): string[] {
  const apple = isApple();
  return [
    ...(mod ? [apple ? "⌘" : "Ctrl"] : []),
    ...(alt ? [apple ? "⌥" : "Alt"] : []),
    ...(shift ? [apple ? "⇧" : "Shift"] : []),
    names[key] ?? key.toUpperCase(),
  ];
}
