const counts = new Intl.NumberFormat("en");

export function formatCount(count: number): string {
  return counts.format(count);
}
