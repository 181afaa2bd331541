/**
 * RFC 8707 compares resources as strings, but agents write ours with and without a slash at the end, and hosts in
 * capitals. One form is kept and compared; what is no address stays as it is and fits nothing.
 */
export function canonicalResource(resource: string): string {
  if (!URL.canParse(resource)) return resource;
  const { href } = new URL(resource);
  return /[?#]/.test(href) ? href : href.replace(/\/+$/, "");
}
