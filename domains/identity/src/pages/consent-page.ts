import type { Scope, SessionOrg } from "@svc/contract";
import { type Html, html } from "./html.ts";
import type { Page } from "./layout.ts";

/** Each scope in the words of who is asked, not of who built it. */
const SCOPE_WORDS: Record<Scope, string> = {
  "data:read": "Search the data sources that your organization shows to agents, as far as your role allows",
  "notifications:read": "Read your notifications",
  "notifications:write": "Mark your notifications as read",
  "apps:read": "See your organization's apps, their deployments, checks and tickets",
};

interface ConsentPage {
  agent: {
    name: string;
    /** The host of its own description, which was fetched from there; undefined where it has none. */
    publishedAt: string | undefined;
    redirectUri: string;
    isOnThisMachine: boolean;
    hasChanged: boolean;
  };
  person: { email: string };
  orgs: SessionOrg[];
  scopes: Scope[];
  /** Where the answer goes, and what proves that this page sent it. */
  action: string;
  formSecret: string;
  problem?: string | undefined;
}

export function consentPage({ agent, person, orgs, scopes, action, formSecret, problem }: ConsentPage): Page {
  const redirect = new URL(agent.redirectUri);
  return {
    title: `Connect ${agent.name}`,
    main: html`<h1>Connect ${agent.name}?</h1>
      <p>
        An agent that calls itself <strong>${agent.name}</strong> wants to act for you. Nobody here has checked that
        name.
      </p>
      ${agent.isOnThisMachine && loopbackWarning()} ${agent.hasChanged && changeNotice()}
      <form method="post" action="${action}">
        <input type="hidden" name="secret" value="${formSecret}" />
        <dl class="facts">
          ${agent.publishedAt && fact("Described at", agent.publishedAt)} ${fact("Leads back to", redirect.host)}
          ${fact("You are", person.email)} ${orgs.length === 1 && fact("Organization", orgs[0]?.name ?? "")}
        </dl>
        ${orgs.length > 1 ? orgChoice(orgs, problem) : onlyOrg(orgs)}
        <h2 id="allowed">It will be able to</h2>
        <ul class="allowed" aria-labelledby="allowed">
          ${scopes.map((scope) => html`<li>${SCOPE_WORDS[scope]}</li>`)}
        </ul>
        <p>Never more than you can do yourself, in this one organization, until you disconnect it.</p>
        <div class="actions">
          <button class="button primary" type="submit" name="decision" value="allow">Allow</button>
          <button class="button" type="submit" name="decision" value="deny" formnovalidate>Deny</button>
        </div>
      </form>`,
    footer: html`<p>Not you, or not what you expected? Choose Deny. You can disconnect agents at any time.</p>`,
  };
}

/**
 * After the answer. Browsers hold all redirects that follow a form to the policy of its page, and nobody knows where an
 * agent's own address leads on to: so the form ends here, and going on is a navigation of its own.
 */
export function backToAgentPage(name: string, address: string): Page {
  return {
    title: `Back to ${name}`,
    main: html`<h1>Back to ${name}</h1>
      <p>If nothing happens, continue by hand.</p>
      <div class="actions"><a class="button primary" href="${address}">Continue</a></div>`,
  };
}

function loopbackWarning(): Html {
  return html`<p class="warning" role="note">
    This agent runs on your own computer, where any program can claim to be it. Allow it only if you have just started
    it yourself.
  </p>`;
}

function changeNotice(): Html {
  return html`<p class="warning" role="note">
    This agent describes itself differently than when you last allowed it, so you are asked again.
  </p>`;
}

function fact(name: string, value: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

function onlyOrg([org]: SessionOrg[]): Html {
  return html`<input type="hidden" name="org" value="${org?.id ?? ""}" />`;
}

/** None is chosen beforehand: the agent gets to see the data of this one. */
function orgChoice(orgs: SessionOrg[], problem: string | undefined): Html {
  return html`<fieldset role="radiogroup" ${problem && html`aria-invalid="true" aria-describedby="problem"`}>
    <legend>In which organization?</legend>
    ${problem && html`<p class="alert" id="problem" role="alert">${problem}</p>`}
    ${orgs.map(
      ({ id, name, role }) =>
        html`<label class="choice"
          ><input type="radio" name="org" value="${id}" required /><span>${name}</span><span class="role">${role}</span>
        </label>`,
    )}
  </fieldset>`;
}
