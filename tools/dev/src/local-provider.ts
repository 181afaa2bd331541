import { generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { interactionPolicy, Provider } from "oidc-provider";
import { peoplePage } from "./people-page.ts";
import { createProviderMemory } from "./provider-memory.ts";

export interface LocalPerson {
  sub: string;
  /** What the ID token says of them. */
  claims: Record<string, unknown> & { email?: string };
}

interface LocalProviderOptions {
  /** Whose place it takes; shown on its page. */
  name: string;
  /** 0 takes a free one. */
  port: number;
  client: { id: string; secret: string; redirectUri: string };
  /** Read anew at each sign-in. */
  people: LocalPerson[];
}

export interface LocalProvider {
  issuer: string;
  close(): Promise<void>;
}

/** As `developer` and `owner` are in the demo organization, and `new` is in none. */
export const DEMO_PEOPLE: LocalPerson[] = ["owner", "developer", "new"].map((name) => ({
  sub: `demo-${name}`,
  claims: {
    email: `${name}@demo.example`,
    email_verified: true,
    hd: "demo.example",
    name: `Demo ${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
  },
}));

const PICK = "/pick/";
const CLAIMS = {
  openid: ["sub", "hd", "tid", "oid", "xms_edov", "verified_primary_email"],
  email: ["email", "email_verified"],
  profile: ["name", "preferred_username"],
};

/**
 * An OpenID provider on this machine in the place of Google or Microsoft, where everyone may be whom they like. It is
 * as strict with apps as they are: known redirect address, client secret, PKCE with S256.
 */
export async function startLocalProvider(options: LocalProviderOptions): Promise<LocalProvider> {
  const server = createServer();
  server.listen(options.port, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = createProvider(issuer, options);
  const answer = provider.callback();
  const cookieToForget = new RegExp(`${sessionCookie(options.name)}[^;]*(?:;|$)`, "g");

  server.on("request", (request, response) => {
    const path = new URL(request.url ?? "/", issuer).pathname;
    // Everyone is asked anew who they are: nobody has to sign out here to become somebody else.
    if (path === "/auth" && request.headers.cookie) {
      request.headers.cookie = request.headers.cookie.replace(cookieToForget, "");
    }
    const answered = path.startsWith(PICK)
      ? pickPerson(provider, options, request, response)
      : answer(request, response);
    answered.catch((error: unknown) => {
      response.statusCode = 400;
      response.end(`This sign-in cannot go on; start again. (${String(error)})`);
    });
  });
  return {
    issuer,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function createProvider(issuer: string, { name, client, people }: LocalProviderOptions): Provider {
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: "select_account", requestable: true }), 0);
  const key = generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey.export({ format: "jwk" });
  const provider: Provider = new Provider(issuer, {
    adapter: createProviderMemory(),
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [client.redirectUri],
        grant_types: ["authorization_code"],
        response_types: ["code"],
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    pkce: { required: () => true },
    // As Google and Microsoft do: the ID token says it all, without another question.
    conformIdTokenClaims: false,
    claims: CLAIMS,
    findAccount: (_context: unknown, id: string) => {
      const person = people.find(({ sub }) => sub === id);
      return person && { accountId: id, claims: () => ({ sub: id, ...person.claims }) };
    },
    loadExistingGrant: async (context: { oidc: { session: { accountId: string } } }) => {
      const grant = new provider.Grant({ accountId: context.oidc.session.accountId, clientId: client.id });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
    interactions: { policy, url: (_context: unknown, { uid }: { uid: string }) => `${PICK}${uid}` },
    features: { devInteractions: { enabled: false } },
    renderError: (context: { type: string; body: string }, { error, error_description }: Record<string, string>) => {
      context.type = "text/plain";
      context.body = `${error}: ${error_description}\n`;
    },
    jwks: { keys: [{ ...key, use: "sig", alg: "RS256", kid: "local" }] },
    // Cookies know no ports: two providers on one machine would take each other's.
    cookies: {
      keys: [randomBytes(32).toString("hex")],
      names: { session: sessionCookie(name), interaction: `${name}_interaction`, resume: `${name}_resume` },
    },
    ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 60, Interaction: 600, Grant: 600, Session: 600 },
  });
  return provider;
}

function sessionCookie(name: string): string {
  return `${name}_session`;
}

async function pickPerson(
  provider: Provider,
  { name, people }: LocalProviderOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  await provider.interactionDetails(request, response);
  const picked = request.method === "POST" ? new URLSearchParams(await text(request)).get("person") : null;
  if (picked === "") {
    await provider.interactionFinished(request, response, { error: "access_denied" });
  } else if (picked !== null && people.some(({ sub }) => sub === picked)) {
    await provider.interactionFinished(request, response, { select_account: {}, login: { accountId: picked } });
  } else {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(peoplePage(name, people));
  }
}
