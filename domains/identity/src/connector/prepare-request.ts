import { DEFAULT_SCOPES, SCOPES } from "@svc/contract";
import { canonicalResource } from "./canonical-resource.ts";

/** What an authorization request is about; everything else is ignored, as RFC 6749 section 3.1 has it. */
const READ = new Set([
  "client_id",
  "redirect_uri",
  "response_type",
  "response_mode",
  "state",
  "scope",
  "resource",
  "prompt",
  "code_challenge",
  "code_challenge_method",
  // Refused by name, since ignoring them would change what was asked for.
  "request",
  "request_uri",
  "registration",
]);
/** Asked for by habit of OpenID Connect, which this is not. Refresh tokens come without asking. */
const HABIT = new Set(["openid", "offline_access", "profile", "email"]);
const KNOWN: ReadonlySet<string> = new Set(SCOPES);

/** The query of an authorization request as oidc-provider is to see it. */
export function prepareAuthorizationQuery(search: string): string {
  const asked = new URLSearchParams(search);
  const prepared = new URLSearchParams([...asked].filter(([name]) => READ.has(name)));
  rewrite(prepared, "resource", canonicalResource);
  rewrite(prepared, "response_mode", (mode) => (mode === "query" ? mode : "unsupported"));
  // Else what is wrong with the response type would be said in a fragment, where no agent looks.
  if (!prepared.has("response_mode")) prepared.set("response_mode", "query");
  // A page is shown in any case that may matter, and there people see who they are signed in as.
  rewrite(prepared, "prompt", (prompt) => (prompt.split(" ").includes("none") ? "none" : "consent"));
  const scopes = prepared.getAll("scope");
  if (scopes.length <= 1) prepared.set("scope", chooseScopes(scopes[0] ?? ""));
  return prepared.toString();
}

/** Ours out of what was asked for; to read, where nothing was; and as it came, to be refused, where none is ours. */
function chooseScopes(asked: string): string {
  const wanted = asked.split(" ").filter((scope) => scope !== "" && !HABIT.has(scope));
  if (wanted.length === 0) return DEFAULT_SCOPES.join(" ");
  const known = wanted.filter((scope) => KNOWN.has(scope));
  return known.length > 0 ? known.join(" ") : wanted.join(" ");
}

/** The form of a token request; undefined where it names a resource that is not ours. */
export function prepareTokenForm(body: string, resource: string): string | undefined {
  const form = new URLSearchParams(body);
  if (form.getAll("resource").some((named) => canonicalResource(named) !== resource)) return undefined;
  if (form.has("resource")) form.set("resource", resource);
  return form.toString();
}

/** All values of a parameter; the same one given twice stays given twice, and is refused for it. */
function rewrite(query: URLSearchParams, name: string, change: (value: string) => string): void {
  const values = query.getAll(name);
  query.delete(name);
  const changed = values.map(change);
  for (const value of name === "resource" ? new Set(changed) : changed) query.append(name, value);
}
