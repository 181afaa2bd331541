import type { Id } from "@svc/contract";
import { isActorAssertion, readActorAssertion } from "@svc/platform/http";
import { newId } from "@svc/platform/ids";
import { type AuthStandIn, startAuthStandIn } from "@svc/platform/testing";

export interface Grant {
  userId: Id<"usr">;
  orgId: Id<"org">;
  clientId: string;
  grantId: Id<"grt">;
  scopes: string[];
}

export interface AuthOfGrants extends AuthStandIn {
  createGrant(scopes: string[]): Grant;
  revoke(grant: Grant): void;
  /** An API token that stands for somebody. */
  createApiToken(): string;
  revokeApiToken(token: string): void;
  /** Drops which assertions were shown already. */
  forget(): void;
}

const REFUSED = { body: { valid: false, reason: "Invalid or expired API token" } };

/** Judges tokens as the auth service does: an assertion once, and only while its grant lives. */
export async function startAuthOfGrants(actorAssertionSecret: string): Promise<AuthOfGrants> {
  const standIn = await startAuthStandIn();
  const alive = new Set<string>();
  const apiTokens = new Set<string>();
  const used = new Set<string>();
  const caller = (orgId: Id<"org">, userId: Id<"usr">) => ({
    valid: true,
    user: { id: userId, email: "person@example.com", name: null },
    org: { id: orgId, slug: "acme", name: "Acme" },
    role: "developer",
    expires_at: null,
  });

  standIn.answer = async (token) => {
    if (apiTokens.has(token)) {
      return { body: { ...caller(newId("org"), newId("usr")), kind: "api_token", cache_seconds: 5 } };
    }
    if (!isActorAssertion(token)) return REFUSED;
    const read = await readActorAssertion(actorAssertionSecret, token);
    if (!read || used.has(read.assertionId) || !alive.has(read.grantId)) return REFUSED;
    used.add(read.assertionId);
    const { orgId, userId, clientId, grantId, scopes } = read;
    const granted = { kind: "actor", client_id: clientId, grant_id: grantId, scopes, cache_seconds: 0 };
    return { body: { ...caller(orgId, userId), ...granted } };
  };

  return Object.assign(standIn, {
    createGrant: (scopes: string[]): Grant => {
      const clientId = "https://agent.example/client.json";
      const grant = { userId: newId("usr"), orgId: newId("org"), clientId, grantId: newId("grt"), scopes };
      alive.add(grant.grantId);
      return grant;
    },
    revoke: ({ grantId }: Grant) => void alive.delete(grantId),
    createApiToken: () => {
      const token = `svc_${newId("tok")}`;
      apiTokens.add(token);
      return token;
    },
    revokeApiToken: (token: string) => void apiTokens.delete(token),
    forget: () => used.clear(),
  });
}
