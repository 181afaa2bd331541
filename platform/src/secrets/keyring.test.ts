import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { parseKeyring } from "./keyring.ts";

const KEY = randomBytes(32).toString("base64");
const OTHER = randomBytes(32).toString("base64");
const NOT_PAIRS = "must be id:key pairs, comma-separated, each key 32 bytes in base64";

describe("a keyring", () => {
  it("holds every key by its id, the first being the active one", () => {
    const { activeId, keys } = parseKeyring(`k2:${OTHER}, k1:${KEY}`);
    expect(activeId).toBe("k2");
    expect([...keys].map(([id, key]) => [id, key.toString("base64")])).toEqual([
      ["k2", OTHER],
      ["k1", KEY],
    ]);
  });

  it.each([
    ["nothing", "", NOT_PAIRS],
    ["a key without an id", KEY, NOT_PAIRS],
    ["an empty id", `:${KEY}`, NOT_PAIRS],
    ["an id without a key", "k1:", NOT_PAIRS],
    ["a key of 16 bytes", `k1:${randomBytes(16).toString("base64")}`, NOT_PAIRS],
    ["a key of 33 bytes", `k1:${randomBytes(33).toString("base64")}`, NOT_PAIRS],
    ["a key in hex", `k1:${randomBytes(32).toString("hex")}`, NOT_PAIRS],
    ["an id with a dot, which envelopes use", `k.1:${KEY}`, NOT_PAIRS],
    ["a third part", `k1:${KEY}:x`, NOT_PAIRS],
    ["a comma at the end", `k1:${KEY},`, NOT_PAIRS],
    ["an id twice", `k1:${KEY},k1:${OTHER}`, "names the key id k1 twice"],
  ])("is refused with %s, without showing a key", (_what, text, message) => {
    expect(() => parseKeyring(text)).toThrow(new Error(message));
  });
});
