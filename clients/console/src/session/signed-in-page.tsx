import { type ReactNode, useEffect } from "react";
import { announceSignIn } from "./session-end.ts";
import { takeExchangeCode } from "./sign-in.ts";

/** The end of signing in again in a window of its own. */
export function SignedInPage(): ReactNode {
  useEffect(() => {
    announceSignIn({ code: takeExchangeCode() });
    window.close();
  }, []);
  return (
    <main className="grid min-h-svh place-items-center p-6 text-center">
      <p>You are signed in again. Close this window and go on where you were.</p>
    </main>
  );
}
