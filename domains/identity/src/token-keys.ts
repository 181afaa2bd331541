import { createHmac, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from "node:crypto";

type SecretKind =
  | "api token"
  | "session"
  | "exchange code"
  | "support token"
  | "connector artifact"
  | "consent form"
  | "connector cookie";

export interface TokenKeys {
  /** What the database holds in place of a secret that somebody carries. */
  digest(kind: SecretKind, secret: string): Buffer;
  /** Signs the tokens of people who signed in. */
  userToken: { privateKey: KeyObject; publicKey: KeyObject; keyId: string };
  /** Encrypts what a browser keeps for us while it is away at a provider. */
  cookieKey: Uint8Array;
  /** Names the pair of secrets and tells nothing of them, for rows that are to end with the pair. */
  fingerprint: string;
}

/** PKCS #8 wrapping of a bare Ed25519 seed, RFC 8410 section 7. */
const ED25519_PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

/**
 * Keys for each purpose. All but the signing key itself are derived from both secrets, and a user token names the
 * pair by its key id. So changing either secret ends every token and session: that is what an operator changes
 * them for.
 */
export function deriveTokenKeys(jwtSecret: string, jwtSigningKey: string): TokenKeys {
  const seed = Buffer.from(jwtSigningKey, "hex");
  const material = Buffer.concat([Buffer.from(jwtSecret, "hex"), seed]);
  const derive = (purpose: string, bytes = 32): Buffer =>
    Buffer.from(hkdfSync("sha256", material, Buffer.alloc(0), `svc ${purpose}`, bytes));
  const privateKey = createPrivateKey({ key: Buffer.concat([ED25519_PKCS8, seed]), format: "der", type: "pkcs8" });
  const digestKeys = new Map<SecretKind, Buffer>();
  return {
    digest: (kind, secret) => {
      const key = digestKeys.get(kind) ?? derive(`${kind} digest`);
      digestKeys.set(kind, key);
      return createHmac("sha256", key).update(secret).digest();
    },
    userToken: {
      privateKey,
      publicKey: createPublicKey(privateKey),
      keyId: derive("user token key id", 12).toString("hex"),
    },
    cookieKey: derive("sign-in cookie"),
    fingerprint: derive("secrets fingerprint", 16).toString("hex"),
  };
}
