const KEY = "svc-org";

/** Where the person worked last in this browser, so that the plain address leads back there. */
export function rememberOrg(slug: string): void {
  localStorage.setItem(KEY, slug);
}

export function rememberedOrg(): string | null {
  return localStorage.getItem(KEY);
}
