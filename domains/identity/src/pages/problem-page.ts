import type { RefusalKind } from "../sign-in/refusal.ts";
import { html } from "./html.ts";
import { loginAddress, type Page } from "./layout.ts";

interface Problem {
  status: number;
  title: string;
  /** What happened, and what to do next. */
  text: string;
}

export const PROBLEMS: Record<RefusalKind, Problem> = {
  "state-lost": {
    status: 400,
    title: "This sign-in has expired",
    text: "It took longer than ten minutes, was finished before, or began in another browser. Start again, in the same browser and with cookies allowed.",
  },
  "provider-refused": {
    status: 403,
    title: "You were not signed in",
    text: "The sign-in was cancelled, or your provider did not confirm it. Try again. If it keeps failing, ask your administrator whether you may use this app.",
  },
  "provider-unavailable": {
    status: 503,
    title: "Your provider does not answer",
    text: "The service you sign in with cannot be reached right now. Try again in a minute, or use another way to sign in if you have one.",
  },
  "unknown-provider": {
    status: 404,
    title: "No such way to sign in",
    text: "The link names a provider that is not set up here. Choose one on the sign-in page.",
  },
  "tenant-not-allowed": {
    status: 403,
    title: "This account is not allowed here",
    text: "Your Microsoft account belongs to an organization that may not sign in here, or is a personal one. Try again and choose your work account.",
  },
  "no-address": {
    status: 403,
    title: "Your account has no e-mail address",
    text: "People are invited by their address, and your provider gave none. Try again with another account, or ask your administrator to add an address to this one.",
  },
  "account-exists": {
    status: 409,
    title: "You already have an account",
    text: "You already have an account with this address; sign in the way you did before.",
  },
  "redirect-not-allowed": {
    status: 400,
    title: "That link leads somewhere else",
    text: "The link that brought you here would send you on to a place that is not known to this service. Do not follow it. Sign in from here instead, or tell who gave you the link.",
  },
  "from-elsewhere": {
    status: 403,
    title: "That did not come from this site",
    text: "Another site has tried to do this in your name, so nothing was done. If it was you, go to the sign-in page and start from there.",
  },
  throttled: {
    status: 429,
    title: "Too many attempts",
    text: "There were too many attempts to sign in from your network. Wait a minute, then try again.",
  },
  "bad-request": {
    status: 400,
    title: "That link is not complete",
    text: "Something in the address is missing or was changed. Start at the sign-in page.",
  },
  unavailable: {
    status: 503,
    title: "We are not quite there",
    text: "The service cannot reach its database right now. Your account is safe. Try again in a minute.",
  },
  internal: {
    status: 500,
    title: "Something went wrong on our side",
    text: "It was not you. Try again; if it happens again, give support the reference below.",
  },
};

interface ProblemPage {
  kind: RefusalKind;
  redirectTo: string | undefined;
  /** By which support finds the log. */
  requestId: string;
}

export function problemPage({ kind, redirectTo, requestId }: ProblemPage): Page {
  const { status, title, text } = PROBLEMS[kind];
  return {
    title,
    main: html`<h1>${title}</h1>
      <p>${text}</p>
      <div class="actions">
        <a class="button primary" href="${loginAddress(redirectTo)}"
          >${kind === "redirect-not-allowed" ? "Go to the sign-in page" : "Try again"}</a
        >
      </div>`,
    ...(status >= 500 && { footer: html`<p>Reference: <code>${requestId}</code></p>` }),
  };
}
