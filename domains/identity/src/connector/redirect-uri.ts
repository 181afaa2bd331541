const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** By these names alone, letter by letter: `127.1` and `2130706433` are the same machine and other texts. */
const LOOPBACK_URI = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:[/?]|$)/;
const LONGEST = 1_000;
/** Printable ASCII without a backslash, which browsers read as a slash. Everything else has an escape. */
const PLAIN = /^[\x21-\x5b\x5d-\x7e]+$/;
/** Written out in full, so that no reader takes another host from it than we do. */
const ABSOLUTE = /^https?:\/\/[^/?#]+(?:[/?]|$)/;

/** A program on the person's own machine, which has no certificate and gets another port at each start. */
export function isLoopbackRedirect(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === "http:" && LOOPBACK.has(hostname);
}

/** Why nobody may be sent there; undefined for a good one. */
export function findRedirectUriProblem(uri: unknown): string | undefined {
  if (typeof uri !== "string" || uri.length > LONGEST) return `must be a string of at most ${LONGEST} characters`;
  if (uri.includes("#")) return "must have no fragment";
  if (uri.includes("*")) return "must have no wildcard";
  if (!PLAIN.test(uri) || !ABSOLUTE.test(uri) || !URL.canParse(uri)) return "must be an https address, written in full";
  const url = new URL(uri);
  if (url.username !== "" || url.password !== "" || uri.split("/")[2]?.includes("@")) {
    return "must have no name or password";
  }
  if (url.protocol === "https:") {
    return LOOPBACK.has(url.hostname) ? "must use http for this machine, and https elsewhere" : undefined;
  }
  return LOOPBACK_URI.test(uri) ? undefined : "must use https; http is for 127.0.0.1, [::1] and localhost alone";
}

/** The port of a loopback address does not count (RFC 8252 section 7.3), so it is left out of what is kept. */
export function withoutLoopbackPort(uri: string): string {
  return isLoopbackRedirect(uri) ? uri.replace(/^(http:\/\/(?:\[::1\]|[^/?:[]+)):\d*/, "$1") : uri;
}

/** What the limit for each origin counts. All programs of one machine are one, whatever their port. */
export function originOfRedirect(uri: string): string {
  return new URL(withoutLoopbackPort(uri)).origin;
}
