import { createHmac, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { keyedDigest } from "./keyed-digest.ts";

describe("a keyed digest", () => {
  it.each([0, 1, 32, 63, 64])("is HMAC-SHA-256 with a key of %i bytes, whatever the text", (length) => {
    const key = randomBytes(length);
    const digest = keyedDigest(key);
    for (const text of ["", "a", "ü🙂", "x".repeat(55), "x".repeat(56), "x".repeat(64), "x".repeat(100_000)]) {
      expect(digest(text)).toBe(createHmac("sha256", key).update(text).digest("hex"));
    }
  });

  it("refuses a key that would have to be hashed first", () => {
    expect(() => keyedDigest(randomBytes(65))).toThrow("longer than a block");
  });
});
