const words = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** "Ada, Grace and 3 others" */
export function listInWords(items: readonly string[], most = items.length): string {
  const rest = items.length - most;
  if (rest <= 0) return words.format(items);
  return words.format([...items.slice(0, most), `${rest} ${rest === 1 ? "other" : "others"}`]);
}
