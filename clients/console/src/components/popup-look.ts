/** What floats above the page: menus, lists of choices. */
export const popupLook =
  "origin-(--transform-origin) overflow-hidden rounded-lg border border-line bg-surface text-sm text-ink shadow-float outline-none transition-[opacity,translate] data-ending-style:opacity-0 data-starting-style:-translate-y-1 data-starting-style:opacity-0";

export const popupListLook =
  "max-h-[min(20rem,var(--available-height))] overflow-y-auto overscroll-contain p-1 outline-none scroll-py-1";

export const popupItemLook =
  "flex cursor-default items-start gap-2 rounded-md px-2 py-1.5 outline-none select-none data-highlighted:bg-hover pointer-coarse:py-2.5";
