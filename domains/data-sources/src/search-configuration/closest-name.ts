/** The name that was probably meant, where one is near enough to be worth saying. */
export function closestName(wanted: string, names: string[]): string | undefined {
  const folded = wanted.toLowerCase();
  const isClose = (distance: number): boolean => distance <= Math.max(1, Math.floor(wanted.length / 3));
  return (
    names
      // Far longer or shorter ones cannot be near, and need not be compared letter by letter.
      .filter((name) => Math.abs(name.length - wanted.length) <= wanted.length / 3 + 1)
      .map((name) => ({ name, distance: editDistance(folded, name.toLowerCase()) }))
      .filter(({ distance }) => isClose(distance))
      .toSorted((a, b) => a.distance - b.distance)[0]?.name
  );
}

/** Letters put in, left out, replaced or swapped with their neighbour. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
