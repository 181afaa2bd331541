import type { Id, IdPrefix } from "@svc/contract";
import { idSchema } from "@svc/contract";
import { AppError } from "../errors/index.ts";

/** The cursor of a list is the id of the last item of the page before. */
export function readCursor<P extends IdPrefix>(prefix: P, cursor: string | undefined): Id<P> | undefined {
  if (cursor === undefined) return undefined;
  const parsed = idSchema(prefix).safeParse(cursor);
  if (parsed.success) return parsed.data;
  throw new AppError("INVALID_REQUEST", "The cursor is not one this list gave out. Leave it out to start over.");
}

/** Asks for one more than the page holds, to know whether there is another page. */
export async function readPage<T extends { id: string }>(
  limit: number,
  read: (limit: number) => Promise<T[]>,
): Promise<{ items: T[]; next_cursor: string | null }> {
  const found = await read(limit + 1);
  const items = found.slice(0, limit);
  return { items, next_cursor: found.length > limit ? (items.at(-1)?.id ?? null) : null };
}
