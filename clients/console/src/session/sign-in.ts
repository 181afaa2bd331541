import { EXCHANGE_CODE_PARAMETER } from "@svc/contract/plain";

/** Where a window ends up that was opened to sign in again; it tells the others and closes. */
export const SIGNED_IN_PATH = "/signed-in";

/** Sign in, and come back to this very address. */
export function signInAddress(returnTo: string = location.href): string {
  return `/login?${new URLSearchParams({ redirect_to: returnTo }).toString()}`;
}

/** What an auth service on another origin sends along; gone from the address bar once it is read. */
export function takeExchangeCode(): string | undefined {
  const address = new URL(location.href);
  const code = address.searchParams.get(EXCHANGE_CODE_PARAMETER);
  if (code === null) return undefined;
  address.searchParams.delete(EXCHANGE_CODE_PARAMETER);
  history.replaceState(history.state, "", address);
  return code;
}
