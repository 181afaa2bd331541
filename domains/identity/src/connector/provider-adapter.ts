import type { Id } from "@svc/contract";
import { idFromUuid } from "@svc/platform/ids";
import { errors, Provider } from "oidc-provider";
import { BY_RULE, type IdentityContext } from "../context.ts";
import {
  type ArtifactRow,
  consumeArtifact,
  consumeArtifactOnce,
  deleteArtifact,
  deleteArtifactsOfGrant,
  findArtifact,
  lockGrantOf,
  saveArtifact,
} from "./artifact-queries.ts";
import type { Clients, DocumentSource, FoundClient } from "./find-client.ts";
import { extendGrant, findLiveGrant, lockGrant } from "./grant-queries.ts";
import { endGrant } from "./grants.ts";
import { currentRequest, type OneRequest } from "./one-request.ts";

interface Payload {
  grantId?: Id<"grt">;
  [name: string]: unknown;
}

/** What oidc-provider wants of a store, for one kind of thing. */
interface Adapter {
  upsert(id: string, payload: Payload, seconds: number): Promise<void>;
  find(id: string): Promise<object | undefined>;
  findByUid(uid: string): Promise<undefined>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: Id<"grt">): Promise<void>;
}

/** Agents send a refresh token twice when they start twice or an answer is lost; after this it is a theft. */
const GRACE_SECONDS = 30;

const nothing = async (): Promise<undefined> => undefined;
const FORGETFUL: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUid: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
};

export function createAdapters(context: IdentityContext, clients: Clients): (model: string) => Adapter {
  return (model) => {
    if (model === "Client") return { ...FORGETFUL, find: (id) => findClient(clients, id) };
    if (model === "Grant") return grantAdapter(context);
    // Who is signed in is known by our own session, and asked at each authorization.
    if (model === "Session") return FORGETFUL;
    return artifactAdapter(context, model);
  };
}

/** The key under which something is kept. */
export function digestOf({ keys }: IdentityContext, model: string, id: string): Buffer {
  return keys.digest("connector artifact", `${model} ${id}`);
}

function artifactAdapter(context: IdentityContext, model: string): Adapter {
  const digest = (id: string): Buffer => digestOf(context, model, id);
  return {
    ...FORGETFUL,
    upsert: async (id, payload, seconds) => {
      const tx = await writer(context);
      const expiresAt = new Date(Date.now() + seconds * 1_000);
      const text = JSON.stringify(payload).replaceAll(id, placeholder(digest(id)));
      await saveArtifact(tx, { digest: digest(id), model, payload: text, grantId: payload.grantId, expiresAt });
      if (model === "RefreshToken" && payload.grantId) await extendGrant(tx, payload.grantId, expiresAt);
    },
    find: async (id) => {
      const row = await findArtifact(reader(context), digest(id));
      if (!row) return undefined;
      const payload = JSON.parse(row.payload.replaceAll(placeholder(digest(id)), id)) as Payload;
      return isUsedUp(model, row) ? { ...payload, consumed: true } : payload;
    },
    consume: async (id) => {
      const tx = await writer(context);
      const grant = await lockGrantOf(tx, digest(id));
      // Ended since it was looked at: what would be given now would be worth nothing.
      if (!grant || grant.is_revoked) throw new errors.InvalidGrant();
      if (model !== "AuthorizationCode") return consumeArtifact(tx, digest(id));
      if (await consumeArtifactOnce(tx, digest(id))) return undefined;
      // Two came at the same time and both found it unused: this is the second.
      const row = await findArtifact(tx, digest(id));
      const { grantId } = JSON.parse(row?.payload ?? "{}") as Payload;
      if (grantId) await grantAdapter(context).destroy(grantId);
      throw new errors.InvalidGrant();
    },
    destroy: async (id) => {
      const tx = await writer(context);
      await lockGrantOf(tx, digest(id));
      await deleteArtifact(tx, digest(id));
    },
    revokeByGrantId: async (grantId) => {
      currentRequest()?.keepAndAnnounce();
      const tx = await writer(context);
      await lockGrant(tx, grantId);
      await deleteArtifactsOfGrant(tx, grantId);
    },
  };
}

/** Stands in a payload for the id, which is the secret. From the keyed digest, so that nobody can write it there. */
function placeholder(digest: Buffer): string {
  return `id:${digest.toString("hex").slice(0, 32)}`;
}

function isUsedUp(model: string, { consumed_for }: ArtifactRow): boolean {
  return consumed_for !== null && (model !== "RefreshToken" || consumed_for > GRACE_SECONDS);
}

/** Grants are rows of ours, made where the person allows them; the library reads and ends them. */
function grantAdapter(context: IdentityContext): Adapter {
  return {
    ...FORGETFUL,
    find: async (id) => {
      const grant = await findLiveGrant(reader(context), context.keys.fingerprint, id as Id<"grt">);
      if (!grant) return undefined;
      currentRequest()?.orgs.set(id, idFromUuid("org", grant.org_id));
      return {
        jti: id,
        kind: "Grant",
        iat: Math.floor(grant.created_at.getTime() / 1_000),
        accountId: idFromUuid("usr", grant.user_id),
        clientId: grant.client_id,
        resources: { [grant.resource]: grant.scopes.join(" ") },
      };
    },
    destroy: async (id) => {
      currentRequest()?.keepAndAnnounce();
      const origin = { address: null, userAgent: null };
      await endGrant(await writer(context), id as Id<"grt">, { actor: BY_RULE, origin, reason: whyItEnds() });
    },
  };
}

/** Only the library knows why it ends a grant; from where it does, one can tell. */
function whyItEnds(): string {
  const oidc = Provider.ctx?.oidc;
  if (oidc?.route === "revocation") return "the agent gave it back";
  if (oidc?.params?.["grant_type"] === "refresh_token") return "a refresh token was used twice";
  return "an authorization code was used twice";
}

async function findClient(clients: Clients, id: string): Promise<object | undefined> {
  return (await clients.find(id, documentSource()))?.properties;
}

function documentSource(): DocumentSource {
  const oidc = Provider.ctx?.oidc;
  if (oidc?.route === "authorization") return { kind: "fresh" };
  const asked = oidc?.entities.Interaction?.prompt.details["client"];
  return asked === undefined ? { kind: "approved" } : { kind: "asked", client: asked as FoundClient };
}

function reader(context: IdentityContext): ReturnType<OneRequest["reader"]> {
  return currentRequest()?.reader() ?? context.db;
}

async function writer(context: IdentityContext): Promise<ReturnType<OneRequest["reader"]>> {
  return (await currentRequest()?.writer()) ?? context.db;
}
