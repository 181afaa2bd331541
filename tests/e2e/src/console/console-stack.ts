import type { Id, Role } from "@svc/contract";
import { buildConsole } from "@svc/dev";
import { type ApiClient, createApiClient } from "@svc/http-client";
import type { Page } from "playwright-core";
import { type SignInStack, startSignInStack, type Visitor } from "../sign-in-stack.ts";

export interface ConsoleStack extends SignInStack {
  /** An organization with one member of each role. */
  newTeam(): Promise<Team>;
}

export interface Team {
  slug: string;
  orgId: Id<"org">;
  /** The API as the owner has it. */
  api: ApiClient;
  emailOf(role: Role): string;
  /** A browser in which the member of this role has signed in, on a page of the console. */
  visit(role: Role, path?: string): Promise<ConsoleVisitor>;
}

export interface ConsoleVisitor extends Visitor {
  /** The API as this very person has it, by the session of the browser. */
  api: ApiClient;
  /** What the browser complained about: errors of scripts, refusals by the page's policy, requests to elsewhere. */
  complaints: string[];
  /** To a page of the team's organization, such as `/data-sources`. */
  open(path: string): Promise<void>;
}

/** How long a stack may take to start, the console's build included, on a machine with other work. */
export const START_MS = 120_000;

/** All services with the console in front, and what stands in for the providers. */
export async function startConsoleStack(gateway: Record<string, string> = {}): Promise<ConsoleStack> {
  const site = gateway["CONSOLE_DIRECTORY"] ?? (await buildConsole());
  const stack = await startSignInStack({ gateway: { CONSOLE_DIRECTORY: site, ...gateway }, also: ["worker"] });
  let teams = 0;
  return { ...stack, newTeam: () => newTeam(stack, (teams += 1)) };
}

async function newTeam(stack: SignInStack, number: number): Promise<Team> {
  const domain = `team-${number}.example`;
  const emailOf = (role: Role): string => `${role}@${domain}`;
  const { org } = await createOrg(stack, `Team ${number}`, emailOf("owner"));
  const { token } = await stack.stack.issueMemberToken(org.id, `robot@${domain}`, "owner");
  const api = createApiClient({ baseUrl: stack.base, token: () => token });
  for (const role of ["admin", "developer", "viewer"] as const)
    await api.invite(org.slug, { email: emailOf(role), role });
  return {
    slug: org.slug,
    orgId: org.id,
    api,
    emailOf,
    visit: async (role, path = "/data-sources") => {
      const visitor = await newConsoleVisitor(stack, org.slug);
      await visitor.signIn("Google", stack.googler(emailOf(role)), `${stack.base}/o/${org.slug}${path}`);
      return visitor;
    },
  };
}

async function createOrg(
  { base, stack }: SignInStack,
  name: string,
  admin_email: string,
): Promise<{ org: { id: Id<"org">; slug: string } }> {
  const response = await fetch(`${base}/api/v1/admin/orgs`, {
    method: "POST",
    headers: { authorization: `Bearer ${stack.secrets.OPERATOR_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ name, admin_email }),
  });
  if (response.status !== 201) throw new Error(await response.text());
  return (await response.json()) as { org: { id: Id<"org">; slug: string } };
}

async function newConsoleVisitor(stack: SignInStack, slug: string): Promise<ConsoleVisitor> {
  const visitor = await stack.newVisitor();
  const complaints: string[] = [];
  watch(visitor.page, stack.base, complaints);
  const token = async (): Promise<string> => {
    const body = JSON.stringify({ org: slug });
    return (await visitor.fetchJson("/api/v1/session/token", { method: "POST", body })).body.token;
  };
  return {
    ...visitor,
    complaints,
    api: createApiClient({ baseUrl: stack.base, token }),
    open: async (path) => void (await visitor.page.goto(`${stack.base}/o/${slug}${path}`)),
  };
}

function watch(page: Page, base: string, complaints: string[]): void {
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // A refusal of the API is logged by the browser itself and is often what a test is about.
    const isRefusal = /Failed to load resource/.test(message.text());
    if (message.type() === "error" && !isRefusal) complaints.push(message.text());
  });
  page.on("request", (request) => {
    const isOfPage = !request.isNavigationRequest() && page.url().startsWith(base);
    if (isOfPage && !request.url().startsWith(base) && !request.url().startsWith("data:"))
      complaints.push(`request to ${request.url()}`);
  });
}
