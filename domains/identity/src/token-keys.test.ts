import { describe, expect, it } from "vitest";
import { makeApiToken } from "./token-format.ts";
import { deriveTokenKeys } from "./token-keys.ts";

const SECRET = "1".repeat(64);
const SIGNING_KEY = "2".repeat(64);
const token = makeApiToken();

const digest = (secret: string, signingKey: string, text = token): string =>
  deriveTokenKeys(secret, signingKey).digest("api token", text).toString("hex");

describe("the digest of a token", () => {
  it("is the same each time, so that the token is found again", () => {
    expect(digest(SECRET, SIGNING_KEY)).toBe(digest(SECRET, SIGNING_KEY));
    expect(digest(SECRET, SIGNING_KEY)).toMatch(/^[0-9a-f]{64}$/);
  });

  it("is another when either secret changes, which ends every token", () => {
    const changed = "3".repeat(64);
    const digests = [
      digest(SECRET, SIGNING_KEY),
      digest(changed, SIGNING_KEY),
      digest(SECRET, changed),
      digest(changed, changed),
      digest(SIGNING_KEY, SECRET),
    ];
    expect(new Set(digests).size).toBe(digests.length);
  });

  it("is another for each kind of secret, so that one can never be used as another", () => {
    const keys = deriveTokenKeys(SECRET, SIGNING_KEY);
    const kinds = ["api token", "session", "exchange code", "support token"] as const;
    expect(new Set(kinds.map((kind) => keys.digest(kind, token).toString("hex"))).size).toBe(kinds.length);
  });

  it("is another for every token", () => {
    expect(digest(SECRET, SIGNING_KEY, makeApiToken())).not.toBe(digest(SECRET, SIGNING_KEY));
  });
});

describe("the key that signs user tokens", () => {
  it("is named differently when either secret changes, which ends every user token", () => {
    const changed = "3".repeat(64);
    const names = [
      deriveTokenKeys(SECRET, SIGNING_KEY),
      deriveTokenKeys(changed, SIGNING_KEY),
      deriveTokenKeys(SECRET, changed),
    ].map(({ userToken }) => userToken.keyId);
    expect(new Set(names).size).toBe(3);
    expect(deriveTokenKeys(SECRET, SIGNING_KEY).userToken.keyId).toBe(names[0]);
  });
});
