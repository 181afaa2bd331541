import { html } from "./html.ts";
import { loginAddress, type Page } from "./layout.ts";

export function signedOutPage(): Page {
  return {
    title: "Signed out",
    main: html`<h1>You are signed out</h1>
      <p>This browser no longer has access. On a computer that others use, sign out of Google or Microsoft too.</p>
      <div class="actions"><a class="button" href="${loginAddress(undefined)}">Sign in again</a></div>`,
  };
}
