import { z } from "zod";

/** A token of the kubelet has about 1 KiB. */
const LONGEST_TOKEN = 8_192;
const JWT = /^[\w-]+\.([\w-]+)\.[\w-]+$/;
const SERVICE_ACCOUNT = "system:serviceaccount:";

const claimsSchema = z.object({
  iss: z.string(),
  sub: z.string().optional(),
  aud: z.union([z.string(), z.array(z.string())]).transform((audience) => [audience].flat()),
  /** Seconds since 1970. A token without an end is no projected token. */
  exp: z.number().positive().max(8.64e12),
  "kubernetes.io": z.unknown(),
});

/** What a token says of itself: nobody has checked its signature. */
export type UnverifiedClaims = Pick<z.infer<typeof claimsSchema>, "iss" | "aud" | "exp">;

/** Whether this wants to be a token of a Kubernetes service account, by its own words alone. */
export function looksLikeWorkloadToken(token: string): boolean {
  return isOfServiceAccount(readPayload(token));
}

/** Undefined for what cannot be a projected token of a service account. */
export function readUnverifiedClaims(token: string): UnverifiedClaims | undefined {
  const payload = readPayload(token);
  return isOfServiceAccount(payload) ? claimsSchema.safeParse(payload).data : undefined;
}

function readPayload(token: string): object | undefined {
  if (token.length > LONGEST_TOKEN) return undefined;
  const encoded = JWT.exec(token)?.[1];
  if (encoded === undefined) return undefined;
  try {
    const payload: unknown = JSON.parse(Buffer.from(encoded, "base64url").toString());
    return typeof payload === "object" && payload !== null ? payload : undefined;
  } catch {
    return undefined;
  }
}

function isOfServiceAccount(payload: object | undefined): boolean {
  if (!payload) return false;
  if ("kubernetes.io" in payload) return true;
  return "sub" in payload && typeof payload.sub === "string" && payload.sub.startsWith(SERVICE_ACCOUNT);
}
