import type { ProviderName } from "../sign-in/settings.ts";
import { type Html, html } from "./html.ts";
import { loginAddress, type Page } from "./layout.ts";

const PROVIDER_LABELS: Record<ProviderName, string> = { google: "Google", microsoft: "Microsoft" };

interface SignInPage {
  providers: { name: ProviderName; origin: string }[];
  redirectTo: string | undefined;
  /** The host that a person is led to when it is not this one. */
  continuesAt: string | undefined;
}

export function signInPage({ providers, redirectTo, continuesAt }: SignInPage): Page {
  if (providers.length === 0) return notSetUpPage();
  return {
    title: "Sign in",
    formTargets: providers.map(({ origin }) => origin),
    main: html`<h1>Sign in to svc</h1>
      <p>
        ${continuesAt ? html`You will continue at <strong>${continuesAt}</strong>.` : "Use your work account to continue."}
      </p>
      <ul class="actions">
        ${providers.map(({ name }) => providerButton(name, redirectTo))}
      </ul>`,
    footer: html`<p>First time here? Sign in the same way.</p>`,
  };
}

/** A link and not a form: browsers hold a form's redirects to its policy, and providers redirect as they like. */
function providerButton(name: ProviderName, redirectTo: string | undefined): Html {
  const label = PROVIDER_LABELS[name];
  return html`<li>
    <a class="button" href="${loginAddress(redirectTo, name)}"
      ><span class="mark" aria-hidden="true">${label.slice(0, 1)}</span>Continue with ${label}</a
    >
  </li>`;
}

function notSetUpPage(): Page {
  return {
    title: "Sign in",
    main: html`<h1>Sign-in is not set up yet</h1>
      <p>Whoever runs this service has to register it with Google or Microsoft and set the client id and secret.</p>`,
  };
}
