import { createHmac } from "node:crypto";
import { connectorTokenKey } from "@svc/platform/http";

/** By hand, so that a test can write what no library would. */
export function signToken(header: object, claims: object, key: Uint8Array | string): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
}

export function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

export function signConnectorToken(jwtSecret: string, claims: object, header: object = {}): string {
  return signToken({ alg: "HS256", typ: "at+jwt", ...header }, claims, connectorTokenKey(jwtSecret));
}
