/** What can be typed in or chosen from. 16 px on touch screens, because phones zoom into smaller text. */
export const fieldLook =
  "w-full rounded-md border border-field-line bg-surface px-2.5 text-sm text-ink transition-colors placeholder:text-faint hover:border-muted focus-visible:-outline-offset-1 disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken disabled:text-faint aria-invalid:border-danger pointer-coarse:text-lg";

export const controlHeight = "h-8 pointer-coarse:h-10";

export const labelLook = "text-sm font-medium text-ink";
