import { createHash } from "node:crypto";
import type { IdentityContext } from "../context.ts";
import { type ClientProperties, hashOfMetadata, publicClient } from "./client-metadata.ts";
import { countClientsInUse, findClientRow, lockRegistrations, upsertDynamicClient } from "./client-queries.ts";
import { originOfRedirect } from "./redirect-uri.ts";
import type { ConnectorSettings } from "./settings.ts";

const LIVES_MS = 30 * 86_400_000;

/** Not the client's fault, and nothing that it could mend. */
export class RegistrationRefused extends Error {
  override readonly name = "RegistrationRefused";
  readonly code: "too_many_clients" | "access_denied";

  constructor(code: RegistrationRefused["code"], reason: string) {
    super(reason);
    this.code = code;
  }
}

export interface RegisteredClient {
  properties: ClientProperties;
  issuedAt: Date;
}

/**
 * An agent that nobody here knows makes itself known. Its id comes from what it says of itself: who says the same again
 * is the same client, since agents register anew for every person and connection.
 */
export async function registerClient(
  { db }: IdentityContext,
  { clientLimits }: ConnectorSettings,
  metadata: Record<string, unknown>,
): Promise<RegisteredClient> {
  const described = publicClient("", metadata);
  const digest = createHash("sha256").update(hashOfMetadata(described)).digest("base64url");
  const properties = { ...described, client_id: `dyn_${digest.slice(0, 32)}` };
  const origins = [...new Set(properties.redirect_uris.map(originOfRedirect))];
  const issuedAt = await db.transaction().execute(async (tx) => {
    await lockRegistrations(tx);
    const known = await findClientRow(tx, properties.client_id);
    if (known && !known.is_active) {
      throw new RegistrationRefused("access_denied", "This agent was blocked here. Ask who runs the service.");
    }
    const { isCounted, inAll, perOrigin } = await countClientsInUse(tx, properties.client_id, origins);
    if (!isCounted && inAll >= clientLimits.inAll) throw tooMany("Too many agents are registered.");
    if (!isCounted && perOrigin >= clientLimits.perOrigin) {
      throw tooMany("Too many agents are registered that redirect to the same place.");
    }
    return upsertDynamicClient(tx, {
      client_id: properties.client_id,
      kind: "dynamic",
      name: properties.client_name,
      metadata: JSON.stringify(properties),
      origins,
      expires_at: new Date(Date.now() + LIVES_MS),
    });
  });
  return { properties, issuedAt };
}

function tooMany(what: string): RegistrationRefused {
  return new RegistrationRefused(
    "too_many_clients",
    `${what} Try again in an hour, use a client id metadata document, or ask who runs the service to add the agent.`,
  );
}
