const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** Written out in full: what browsers mend by themselves (`https:host`, `//host`, `\`, blanks) is a way around a check. */
const ABSOLUTE = /^https?:\/\/[^/\\?#@]+(?:[/?#]|$)/i;
/** Printable ASCII. Everything else has an escape, and a browser would put it there by itself. */
const PLAIN = /^[\x21-\x5b\x5d-\x7e]+$/;
export const LONGEST_REDIRECT = 1_000;

/** http is for this machine only. */
export function isSafeWebUrl(url: URL): boolean {
  if (url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.has(url.hostname));
}

/** Where a person may be sent after signing in; undefined for every place that is not ours. */
export function findRedirectTarget(wanted: string, allowedOrigins: ReadonlySet<string>): URL | undefined {
  if (wanted.length > LONGEST_REDIRECT || !PLAIN.test(wanted) || !ABSOLUTE.test(wanted)) return undefined;
  if (!URL.canParse(wanted)) return undefined;
  const url = new URL(wanted);
  return isSafeWebUrl(url) && allowedOrigins.has(url.origin) ? url : undefined;
}
