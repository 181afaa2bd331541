import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SignJWT } from "jose";

const CLIENT = { clientId: "client", clientSecret: "client-secret" };
const keys = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const strangersKeys = generateKeyPairSync("rsa", { modulusLength: 2_048 });

interface Pending {
  challenge: string | null;
  nonce: string | null;
  redirectUri: string;
}

/** What a provider can do wrong, or an attacker make it seem to have done. */
interface Faults {
  /** In place of what the app asked for. */
  nonce?: string;
  iss?: string;
  aud?: string;
  signedByStranger?: boolean;
  discoveryStatus?: number;
  tokenAnswer?: { status: number; body: unknown };
}

export interface ProviderStandIn {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  /** What its ID tokens say of the person. */
  claims: Record<string, unknown>;
  faults: Faults;
  /** Requests to its discovery address. */
  discoveries: number;
  /** What a person does there: from the address they are sent to, to the one they are sent back to. */
  signIn(authorizationUrl: string): string;
  answer(url: URL, body: string): Promise<{ status: number; body: unknown }>;
  close(): Promise<void>;
}

/** A provider that a test can make fail on demand; in all else it is as strict as a real one. */
export function createProviderStandIn(issuer: string, issuerInMetadata = issuer): ProviderStandIn {
  const pending = new Map<string, Pending>();
  const standIn: ProviderStandIn = {
    issuer: new URL(issuer),
    ...CLIENT,
    claims: {},
    faults: {},
    discoveries: 0,
    signIn: (authorizationUrl) => {
      const asked = new URL(authorizationUrl).searchParams;
      const code = randomBytes(8).toString("hex");
      const redirectUri = asked.get("redirect_uri") ?? "";
      pending.set(code, { challenge: asked.get("code_challenge"), nonce: asked.get("nonce"), redirectUri });
      const back = new URL(redirectUri);
      back.searchParams.set("code", code);
      back.searchParams.set("state", asked.get("state") ?? "");
      return back.href;
    },
    answer: async (url, body) => {
      if (url.pathname.endsWith("/.well-known/openid-configuration")) {
        standIn.discoveries += 1;
        return { status: standIn.faults.discoveryStatus ?? 200, body: metadata(url.origin, issuerInMetadata) };
      }
      if (url.pathname === "/jwks") {
        return { status: 200, body: { keys: [{ ...keys.publicKey.export({ format: "jwk" }), kid: "1", use: "sig" }] } };
      }
      if (url.pathname !== "/token") return { status: 404, body: {} };
      if (standIn.faults.tokenAnswer) return standIn.faults.tokenAnswer;
      return redeem(new URLSearchParams(body));
    },
    close: async () => undefined,
  };

  const redeem = async (form: URLSearchParams): Promise<{ status: number; body: unknown }> => {
    const code = form.get("code") ?? "";
    const started = pending.get(code);
    pending.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isClient = form.get("client_id") === CLIENT.clientId && form.get("client_secret") === CLIENT.clientSecret;
    if (!isClient) return { status: 401, body: { error: "invalid_client" } };
    if (started?.challenge !== challenge || started.redirectUri !== form.get("redirect_uri"))
      return { status: 400, body: { error: "invalid_grant" } };
    const { faults, claims } = standIn;
    const idToken = await new SignJWT({ sub: "sub", nonce: faults.nonce ?? started.nonce, ...claims })
      .setProtectedHeader({ alg: "RS256", kid: "1" })
      .setIssuer(faults.iss ?? issuerInMetadata.replace("{tenantid}", String(claims["tid"])))
      .setAudience(faults.aud ?? CLIENT.clientId)
      .setIssuedAt()
      .setExpirationTime("1m")
      .sign(faults.signedByStranger ? strangersKeys.privateKey : keys.privateKey);
    return { status: 200, body: { access_token: "unused", token_type: "bearer", id_token: idToken } };
  };
  return standIn;
}

/** The same, reached over HTTP. */
export async function startProviderStandIn(): Promise<ProviderStandIn> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const standIn = createProviderStandIn(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body } = await standIn.answer(new URL(request.url ?? "/", standIn.issuer), await text(request));
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  server.on("request", (request, response) => void serve(request, response));
  standIn.close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return standIn;
}

function metadata(origin: string, issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    code_challenge_methods_supported: ["S256"],
  };
}
