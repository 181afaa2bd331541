import { createHmac, hkdfSync } from "node:crypto";

export interface TokenKeys {
  /** What the database holds in place of an API token. */
  digestApiToken(token: string): Buffer;
}

/**
 * Keys for each purpose, derived from both secrets. Changing either changes every key, and with it ends every
 * token: that is what an operator rotates them for.
 */
export function deriveTokenKeys(jwtSecret: string, jwtSigningKey: string): TokenKeys {
  const material = Buffer.concat([Buffer.from(jwtSecret, "hex"), Buffer.from(jwtSigningKey, "hex")]);
  const apiTokenKey = Buffer.from(hkdfSync("sha256", material, Buffer.alloc(0), "svc api token digest", 32));
  return {
    digestApiToken: (token) => createHmac("sha256", apiTokenKey).update(token).digest(),
  };
}
