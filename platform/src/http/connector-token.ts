import { hkdfSync } from "node:crypto";
import { type Id, idSchema } from "@svc/contract";
import { errors, jwtVerify } from "jose";

/** What an agent's access token says, once its signature was found good. */
export interface ConnectorClaims {
  userId: Id<"usr">;
  orgId: Id<"org">;
  clientId: string;
  grantId: Id<"grt">;
  scopes: string[];
  expiresAt: Date;
}

/** RFC 9068. */
export const CONNECTOR_TOKEN_TYPE = "at+jwt";

const userIdSchema = idSchema("usr");
const orgIdSchema = idSchema("org");
const grantIdSchema = idSchema("grt");

/** From the secret that the auth service and the MCP server share; neither signs anything else with it. */
export function connectorTokenKey(jwtSecret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", Buffer.from(jwtSecret, "hex"), "", "svc connector access token", 32));
}

/** Undefined for a token that is not one of ours for this resource. Whether its grant still lives is not in it. */
export async function readConnectorToken(
  key: Uint8Array,
  token: string,
  expected: { issuer: string; resource: string },
): Promise<ConnectorClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ["HS256"],
      typ: CONNECTOR_TOKEN_TYPE,
      issuer: expected.issuer,
      audience: expected.resource,
      clockTolerance: 5,
      requiredClaims: ["exp", "iat", "sub", "client_id", "grant_id", "org"],
    });
    const userId = userIdSchema.safeParse(payload.sub);
    const orgId = orgIdSchema.safeParse(payload["org"]);
    const grantId = grantIdSchema.safeParse(payload["grant_id"]);
    // An audience of several would let one of them use the token at another.
    if (!userId.success || !orgId.success || !grantId.success || typeof payload.aud !== "string") return undefined;
    return {
      userId: userId.data,
      orgId: orgId.data,
      grantId: grantId.data,
      clientId: String(payload["client_id"]),
      scopes: String(payload["scope"] ?? "")
        .split(" ")
        .filter(Boolean),
      expiresAt: new Date((payload.exp ?? 0) * 1_000),
    };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
