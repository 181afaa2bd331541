/** "Data sources" becomes "data sources", and "API tokens" stays as it is. */
export function inSentence(label: string): string {
  return /^.[a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}
