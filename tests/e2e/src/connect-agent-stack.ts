import { buildConsole } from "@svc/dev";
import { type Callback, startCallback } from "./connect-agent-callback.ts";
import { type Agent, type Era, startAgent } from "./connect-agent-client.ts";
import { type Recorder, startRecorder } from "./connect-agent-recorder.ts";
import { type SignInStack, startSignInStack, type Visitor } from "./sign-in-stack.ts";

export interface ConnectStack extends SignInStack {
  /** All that an agent is told. */
  endpoint: string;
  /** What the MCP server sends to each of the two that it talks to. */
  recorders: Record<"gateway" | "auth service", Recorder>;
  agents: Agent[];
  /** Answers with the token of a member who may set up its sources. */
  createOrg(name: string, more: { admin_email?: string; domains?: string[] }): Promise<string>;
  startAgent(name: string, era?: Era): Agent;
  /** The person opens what the agent gave them, signs in, and is asked. */
  openConsent(address: URL, email: string): Promise<Visitor>;
  /** The person answers, and their browser comes back to the agent. */
  decide(visitor: Visitor, address: URL, decision: "Allow" | "Deny"): Promise<URLSearchParams>;
  /** From nothing to an open connection. Who is in several organizations says for which. */
  letIn(agent: Agent, email: string, org?: string): Promise<Visitor>;
}

/** Everything that an agent and its person meet, with recorders behind the MCP server. */
export async function startConnectStack(): Promise<ConnectStack> {
  const world = await startSignInStack({ gateway: { CONSOLE_DIRECTORY: await buildConsole() } });
  const { stack, base } = world;
  const gateway = await startRecorder(base);
  const authService = await startRecorder(stack.urlOf("auth-service"));
  const callback = await startCallback();
  const endpoint = `${stack.urlOf("mcp-server")}/platform`;
  const agents: Agent[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(agents.map(({ client }) => client.close()));
    await world.stop();
    await Promise.all([gateway, authService, callback].map((server) => server.close()));
  };
  const recorded = { API_GATEWAY_URL: gateway.url, AUTH_SERVICE_URL: authService.url };
  await Promise.all([stack.start("mcp-server", recorded), stack.start("worker")]).catch(async (error: unknown) => {
    await stop();
    throw error;
  });

  return {
    ...world,
    ...meetPerson(world, callback),
    endpoint,
    agents,
    recorders: { gateway, "auth service": authService },
    createOrg: (name, more) => createOrg(world, { name, ...more }),
    startAgent: (name, era = "2026") => {
      const agent = startAgent(endpoint, { name, era, callback });
      agents.push(agent);
      return agent;
    },
    stop,
  };
}

function meetPerson(
  { newVisitor }: SignInStack,
  callback: Callback,
): Pick<ConnectStack, "openConsent" | "decide" | "letIn"> {
  const openConsent: ConnectStack["openConsent"] = async (address, email) => {
    const visitor = await newVisitor();
    const { page } = visitor;
    await page.goto(address.href);
    await page.getByRole("link", { name: "Continue with Google" }).click();
    await page.getByRole("button", { name: email, exact: true }).click();
    await page.getByRole("button", { name: "Allow" }).waitFor();
    return visitor;
  };
  const decide: ConnectStack["decide"] = async ({ page }, address, decision) => {
    await page.getByRole("button", { name: decision }).click();
    return callback.wait(address.searchParams.get("state") ?? "");
  };
  return {
    openConsent,
    decide,
    letIn: async (agent, email, org) => {
      const address = await agent.askPerson();
      const visitor = await openConsent(address, email);
      if (org) await visitor.page.getByRole("radio", { name: org }).check();
      await agent.connect(await decide(visitor, address, "Allow"));
      return visitor;
    },
  };
}

async function createOrg({ stack, base }: SignInStack, wanted: { name: string }): Promise<string> {
  const response = await fetch(`${base}/api/v1/admin/orgs`, {
    method: "POST",
    headers: { authorization: `Bearer ${stack.secrets.OPERATOR_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify(wanted),
  });
  const { org } = (await response.json()) as { org: { id: `org_${string}`; slug: string } };
  return (await stack.issueMemberToken(org.id, `builder@${org.slug}.example`, "admin")).token;
}
