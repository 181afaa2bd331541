import { type Html, html } from "./html.ts";
import { loginAddress, type Page } from "./layout.ts";

interface NoOrganizationPage {
  person: { email: string; isVouched: boolean };
  redirectTo: string;
  /** What was wrong with the name that was sent. */
  problem?: string;
  name?: string;
}

export function noOrganizationAddress(redirectTo: string): string {
  return `/auth/no-organization?${new URLSearchParams({ redirect_to: redirectTo }).toString()}`;
}

/** For a person who signed in and is in no organization yet. */
export function noOrganizationPage({ person, redirectTo, problem, name }: NoOrganizationPage): Page {
  const { email, isVouched } = person;
  return {
    title: "No organization yet",
    formTargets: [new URL(redirectTo).origin],
    main: html`<h1>You are not in an organization yet</h1>
      <p>You are signed in as <strong>${email}</strong>.</p>
      <section aria-labelledby="join">
        <h2 id="join">Join your team</h2>
        ${isVouched ? askForInvitation(email, redirectTo) : notVouched(email)}
      </section>
      <section aria-labelledby="create">
        <h2 id="create">Or start a new one</h2>
        <p>You become its owner and can invite others.</p>
        <form method="post" action="/auth/organization">
          <input type="hidden" name="redirect_to" value="${redirectTo}" />
          <label for="name">Name of the organization</label>
          <input
            id="name"
            name="name"
            type="text"
            required
            maxlength="200"
            autocomplete="organization"
            value="${name ?? ""}"
            ${problem && html` aria-invalid="true" aria-describedby="problem"`}
          />
          ${problem && html`<p class="alert" id="problem" role="alert">${problem}</p>`}
          <button class="button primary" type="submit">Create organization</button>
        </form>
      </section>`,
    footer: html`<form method="post" action="/logout">
      Not you? <button class="link" type="submit">Use another account</button>
    </form>`,
  };
}

function askForInvitation(email: string, redirectTo: string): Html {
  return html`<p>
    Ask an owner of your organization for an invitation to <strong>${email}</strong>. Once it is there,
    <a href="${loginAddress(redirectTo)}">sign in again</a>.
  </p>`;
}

/** An invitation to the address would not help: it is not known to be theirs. */
function notVouched(email: string): Html {
  return html`<p>
    The account you used does not prove that <strong>${email}</strong> is yours, so an invitation to it cannot let you
    in. Sign in with an account that your organization manages, or ask its administrator.
  </p>`;
}
