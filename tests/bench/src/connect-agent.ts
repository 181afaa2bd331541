import { createHmac } from "node:crypto";
import type { Caller } from "@svc/contract";
import { deriveTokenKeys } from "@svc/identity";
import { CONNECTOR_TOKEN_TYPE, connectorTokenKey } from "@svc/platform/http";
import { newId, uuidOf } from "@svc/platform/ids";
import pg from "pg";
import type { AskWorld } from "./ask-world.ts";

const CLIENT_ID = "https://agent.example/client.json";
const SCOPES = ["data:read"];
const AN_HOUR_SECONDS = 3_600;

/** The token of an agent that the world's owner has let in: a live grant, and what the authorization server would sign. */
export async function connectAgent(world: AskWorld): Promise<string> {
  const { secrets, databaseUrls, urlOf } = world.stack;
  const resource = `${urlOf("mcp-server")}/platform`;
  const { user, org } = (await world.call("GET", "/api/me")) as Caller;
  if (!user) throw new Error("nobody to connect an agent for");
  const grantId = newId("grt");
  const { fingerprint } = deriveTokenKeys(secrets.JWT_SECRET, secrets.JWT_SIGNING_KEY);
  const client = new pg.Client({ connectionString: databaseUrls.identity });
  await client.connect();
  await client.query(
    `insert into identity.platform_access_grants
       (id, org_id, user_id, client_id, client_name, client_hash, redirect_host, scopes, resource, secrets_fingerprint, expires_at)
     values ($1, $2, $3, $4, 'bench', '', 'agent.example', $5, $6, $7, now() + interval '1 hour')`,
    [uuidOf(grantId), uuidOf(org.id), uuidOf(user.id), CLIENT_ID, SCOPES, resource, fingerprint],
  );
  await client.end();
  const now = Math.floor(Date.now() / 1_000);
  return sign(connectorTokenKey(secrets.JWT_SECRET), {
    iss: urlOf("api-gateway"),
    aud: resource,
    sub: user.id,
    org: org.id,
    client_id: CLIENT_ID,
    grant_id: grantId,
    scope: SCOPES.join(" "),
    iat: now,
    exp: now + AN_HOUR_SECONDS,
  });
}

function sign(key: Uint8Array, claims: object): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const signed = `${encode({ alg: "HS256", typ: CONNECTOR_TOKEN_TYPE })}.${encode(claims)}`;
  return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
}
