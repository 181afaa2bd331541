import { timingSafeEqual } from "node:crypto";
import { type Id, type Scope, SCOPES, type SessionOrg } from "@svc/contract";
import type { Interaction } from "oidc-provider";
import type { IdentityContext, Origin } from "../context.ts";
import { exchangeCode } from "../sign-in/exchange-code.ts";
import { findSession, type LiveSession, toLiveSession } from "../sign-in/find-session.ts";
import { findLiveSession } from "../sign-in/session-queries.ts";
import { findArtifactSession, setArtifactSession } from "./artifact-queries.ts";
import type { FoundClient } from "./find-client.ts";
import { type Approval, findGrantThatCovers, wasApprovedOtherwise } from "./grant-queries.ts";
import { createGrant } from "./grants.ts";
import type { Connector } from "./open-connector.ts";
import { digestOf } from "./provider-adapter.ts";
import { isLoopbackRedirect } from "./redirect-uri.ts";

/** What an agent asks a person for. */
export interface AgentRequest {
  uid: string;
  client: FoundClient;
  redirectUri: string;
  scopes: Scope[];
  /** The agent wants the person to see the page. */
  mustAsk: boolean;
}

export function readAgentRequest({ uid, params, prompt }: Interaction): AgentRequest {
  const asked = params["scope"]?.split(" ") ?? [];
  return {
    uid,
    client: prompt.details["client"] as FoundClient,
    redirectUri: params["redirect_uri"] ?? "",
    scopes: SCOPES.filter((scope) => asked.includes(scope)),
    mustAsk: params["prompt"] !== undefined,
  };
}

/** By the session's cookie; where that is of another host, by the session that was brought from there. */
export async function findPersonFor(
  context: IdentityContext,
  { uid }: AgentRequest,
  sessionSecret: string | undefined,
): Promise<LiveSession | undefined> {
  const session = sessionSecret === undefined ? undefined : await findSession(context, sessionSecret);
  if (session) return session;
  const broughtId = await findArtifactSession(context.db, digestOf(context, "Interaction", uid));
  const row = broughtId && (await findLiveSession(context.db, { id: broughtId }));
  return row && toLiveSession(row);
}

/** The one-time code that signing in on another host gives: from now on this request is of that session. */
export async function bringPerson(
  { context, settings }: Connector,
  { uid }: AgentRequest,
  code: string,
  origin: Origin,
): Promise<void> {
  const { sessionId } = await exchangeCode(context, code, settings.issuer, origin);
  await setArtifactSession(context.db, digestOf(context, "Interaction", uid), sessionId);
}

/**
 * A grant by which the person has answered already. A program on somebody's machine cannot be told from another, and
 * whoever is in several organizations has to say for which: those are always asked.
 */
export async function findEarlierAnswer(
  { context, settings }: Connector,
  request: AgentRequest,
  { userId }: LiveSession,
  orgs: SessionOrg[],
): Promise<Id<"grt"> | undefined> {
  const [org, another] = orgs;
  const isNative = request.client.properties.application_type === "native";
  if (!org || another || isNative || isLoopbackRedirect(request.redirectUri) || request.mustAsk) return undefined;
  return findGrantThatCovers(
    context.db,
    context.keys.fingerprint,
    approvalOf(request, settings.resource, userId, org.id),
  );
}

export async function hasChanged(
  { context }: Connector,
  { client }: AgentRequest,
  { userId }: LiveSession,
): Promise<boolean> {
  return wasApprovedOtherwise(context.db, context.keys.fingerprint, {
    userId,
    clientId: client.properties.client_id,
    clientHash: client.hash,
  });
}

export async function allowAgent(
  { context, settings, clients }: Connector,
  request: AgentRequest,
  { userId, email }: LiveSession,
  orgId: Id<"org">,
  origin: Origin,
): Promise<Id<"grt">> {
  await clients.rememberApproved(request.client);
  const wanted = {
    ...approvalOf(request, settings.resource, userId, orgId),
    email,
    clientName: request.client.properties.client_name,
    redirectUri: request.redirectUri,
  };
  return createGrant(context, wanted, origin);
}

function approvalOf({ client, scopes }: AgentRequest, resource: string, userId: Id<"usr">, orgId: Id<"org">): Approval {
  return { userId, orgId, resource, scopes, clientId: client.properties.client_id, clientHash: client.hash };
}

/** Proves that an answer comes from the page that this person was shown for this request. */
export function formSecretOf({ keys }: IdentityContext, { uid }: AgentRequest, { sessionId }: LiveSession): string {
  return keys.digest("consent form", `${uid} ${sessionId}`).toString("base64url");
}

export function isFormSecret(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
