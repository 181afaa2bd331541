import { z } from "zod";

/** Prefixes of every identifier on the wire: `<prefix>_` and a UUIDv7 in 26 characters of base32. */
export const ID_PREFIXES = [
  "org",
  "usr",
  "mem",
  "inv",
  "tok",
  "ses",
  "ds",
  "act",
  "grt",
  "aud",
  "sup",
  "evt",
  "ntf",
  "sub",
  "dlv",
  "app",
  "rev",
  "dep",
  "run",
  "pr",
  "chk",
  "tkt",
  "pip",
] as const;

export type IdPrefix = (typeof ID_PREFIXES)[number];
export type Id<P extends IdPrefix> = `${P}_${string}`;

export function idSchema<P extends IdPrefix>(prefix: P): z.ZodType<Id<P>, string> {
  // 26 characters hold 130 bits, a UUID 128, so the first is at most 7. The 11th holds the version, 7, and the 14th
  // the variant: what has others is no UUIDv7 and can name nothing.
  const any = "[0-9a-hjkmnp-tv-z]";
  const pattern = new RegExp(`^${prefix}_[0-7]${any}{9}[ef]${any}{2}[89abrstv]${any}{12}$`);
  // A cast and not a transform, because transforms have no JSON Schema and OpenAPI is made from these.
  return z.string().max(40).regex(pattern, `must be an id that starts with ${prefix}_`) as unknown as z.ZodType<
    Id<P>,
    string
  >;
}
