import { randomInt } from "node:crypto";

const LONGEST = 50;

/** `Société Générale & Co` -> `societe-generale-co`. A name of other letters than Latin ones has none of its own. */
export function slugOf(name: string): string {
  const slug = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{Mark}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, "");
  return slug === "" ? "org" : slug;
}

/** The next to try when a slug is taken. By chance and not by counting, so that nobody learns how many there are. */
export function anotherSlug(slug: string): string {
  return `${slug}-${randomInt(36 ** 5)
    .toString(36)
    .padStart(5, "0")}`;
}
