/** Deeper than any use of it, and shallow enough for every writer that calls itself for what is nested. */
const MAX_DEPTH = 500;

interface Budget {
  left: number;
}

/** The first `limit` characters of the JSON of a value, looking at little more of it than that. */
export function startOfJson(value: unknown, limit: number): { text: string; isWhole: boolean } {
  const budget: Budget = { left: limit };
  const text = JSON.stringify(copyStart(value, budget, 0));
  return { text: text.slice(0, limit), isWhole: budget.left >= 0 };
}

/** Every character counted here stands in the JSON too, so a copy that ends early ends behind the limit. */
function copyStart(value: unknown, budget: Budget, depth: number): unknown {
  budget.left -= 1;
  if (typeof value === "string") {
    const room = Math.max(budget.left, 0);
    budget.left -= value.length;
    return value.slice(0, room + 1);
  }
  if (typeof value !== "object" || value === null) return value;
  if (hasToJson(value)) return copyStart(value.toJSON(), budget, depth);
  if (depth >= MAX_DEPTH) {
    budget.left = -1;
    return "…";
  }
  return Array.isArray(value) ? copyItems(value, budget, depth) : copyFields(value, budget, depth);
}

function copyItems(items: unknown[], budget: Budget, depth: number): unknown[] {
  const copy: unknown[] = [];
  for (const item of items) {
    if (budget.left < 0) break;
    copy.push(copyStart(item, budget, depth + 1));
  }
  return copy;
}

function copyFields(fields: object, budget: Budget, depth: number): object {
  const copy: [string, unknown][] = [];
  // A list of all keys would be made in full, however early this stops.
  for (const key in fields) {
    if (budget.left < 0) break;
    budget.left -= key.length;
    copy.push([key, copyStart((fields as Record<string, unknown>)[key], budget, depth + 1)]);
  }
  return Object.fromEntries(copy);
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}
