import {
  type Authenticator,
  CONNECTOR_TOKEN_TYPE,
  connectorTokenKey,
  isActorAssertion,
  readConnectorToken,
  signActorAssertion,
} from "@svc/platform/http";
import { AppError } from "@svc/platform/errors";
import { rememberClaims } from "./remembered-claims.ts";

/** Who calls: an agent by a person's grant, or a person's own program with a token of our API. */
export interface Agent {
  /** What it was allowed; a person's own token has no such bounds. */
  scopes?: string[];
  /** What to show other services in its name. Never the token of a grant, and for a grant never the same twice. */
  credential(): Promise<string>;
  /** Throws UNAUTHENTICATED unless it may go on at this moment. */
  checkAlive(): Promise<void>;
}

export type RecognizeAgent = (token: string) => Promise<Agent>;

interface RecognitionOptions {
  authenticator: Authenticator;
  actorAssertionSecret: string;
  /** Left out where no agents can be connected. */
  connector?: { jwtSecret: string; issuer: string; resource: string } | undefined;
}

export function recognizeAgents({
  authenticator,
  actorAssertionSecret,
  connector,
}: RecognitionOptions): RecognizeAgent {
  const readClaims = connector && readingConnectorTokens(connector);

  const recognizeGranted = async (token: string): Promise<Agent> => {
    const claims = await readClaims?.(token);
    if (!claims) throw refused();
    const credential = (): Promise<string> => signActorAssertion(actorAssertionSecret, claims);
    return {
      scopes: claims.scopes,
      credential,
      // A grant is never remembered, so this asks every time.
      checkAlive: async () => void (await authenticator.authenticate(await credential())),
    };
  };

  return async (token) => {
    if (typeOf(token) === CONNECTOR_TOKEN_TYPE) return recognizeGranted(token);
    // For services to show each other. To ask about one uses it up.
    if (isActorAssertion(token)) throw refused();
    const { scopes } = await authenticator.authenticate(token);
    return { ...(scopes && { scopes }), credential: async () => token, checkAlive: async () => undefined };
  };
}

function readingConnectorTokens({
  jwtSecret,
  issuer,
  resource,
}: NonNullable<RecognitionOptions["connector"]>): ReturnType<typeof rememberClaims> {
  const key = connectorTokenKey(jwtSecret);
  return rememberClaims((token) => readConnectorToken(key, token, { issuer, resource }));
}

/** Of its header, which anyone can write: it only says who is to check the rest. */
function typeOf(token: string): unknown {
  const [header = "", ...rest] = token.split(".", 3);
  if (rest.length === 0) return undefined;
  try {
    return (JSON.parse(Buffer.from(header, "base64url").toString()) as { typ?: unknown } | null)?.typ;
  } catch {
    return undefined;
  }
}

function refused(): AppError {
  return new AppError("UNAUTHENTICATED", "Invalid or expired token. Connect the agent again.");
}
