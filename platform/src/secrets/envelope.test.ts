import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { open, reseal, seal, sealedWith } from "./envelope.ts";
import { type Keyring, parseKeyring } from "./keyring.ts";

const encoded = (): string => randomBytes(32).toString("base64");
const OLD_KEY = `old:${encoded()}`;
const NEW_KEY = `new:${encoded()}`;
const before = parseKeyring(OLD_KEY);
const during = parseKeyring(`${NEW_KEY},${OLD_KEY}`);
const after = parseKeyring(NEW_KEY);

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=!";

function opens(keyring: Keyring, envelope: string, context = "ds_1"): boolean {
  try {
    open(keyring, envelope, context);
    return true;
  } catch {
    return false;
  }
}

describe("a sealed secret", () => {
  it("opens to the very text that was sealed, whatever the text and its context", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (text, context) => {
        expect(open(before, seal(before, text, context), context)).toBe(text);
      }),
    );
  });

  it("does not show the text, and differs each time", () => {
    const envelope = seal(before, "correct horse", "ds_1");
    expect(envelope).not.toContain("correct");
    expect(envelope).not.toContain(Buffer.from("correct horse").toString("base64url").slice(0, 12));
    expect(seal(before, "correct horse", "ds_1")).not.toBe(envelope);
  });

  it("does not open in another context, such as another row", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (context, other) => {
        fc.pre(context !== other);
        expect(opens(before, seal(before, "secret", context), other)).toBe(false);
      }),
    );
  });

  it("does not open with another key of the same name", () => {
    const impostor = parseKeyring(`old:${encoded()}`);
    expect(opens(impostor, seal(before, "secret", "ds_1"))).toBe(false);
  });

  it.each(["secret", "secrets", "secrets!", ""])("of %j does not open when any character of it was changed", (text) => {
    const envelope = seal(before, text, "ds_1");
    const accepted: string[] = [];
    for (let at = 0; at < envelope.length; at += 1) {
      // The last character holds bits that base64 does not use, so there all of them are tried.
      for (const character of at === envelope.length - 1 ? ALPHABET : "Aw9_.=!") {
        if (character === envelope[at]) continue;
        const tampered = envelope.slice(0, at) + character + envelope.slice(at + 1);
        if (opens(before, tampered)) accepted.push(`${at}: ${character}`);
      }
    }
    expect(accepted).toEqual([]);
  });

  it("does not open when something was cut off or added", () => {
    const envelope = seal(before, "secret", "ds_1");
    const accepted = [
      ...Array.from({ length: envelope.length }, (_, length) => envelope.slice(0, length)),
      `${envelope}A`,
      `${envelope}.`,
      `${envelope}.AAAA`,
      `${envelope}\n`,
      ` ${envelope}`,
    ].filter((changed) => opens(before, changed));
    expect(accepted).toEqual([]);
  });

  it("does not open with the parts of two envelopes mixed", () => {
    const [version, id, wrapped] = seal(before, "one", "ds_1").split(".");
    const payload = seal(before, "two", "ds_1").split(".")[3];
    expect(opens(before, [version, id, wrapped, payload].join("."))).toBe(false);
  });

  it.each(["", "secret", "v2.old.AAAA.AAAA", "v1.old.AAAA", "v1..AAAA.AAAA"])("is not mistaken for %j", (text) => {
    expect(() => open(before, text, "ds_1")).toThrow("not a sealed secret");
  });

  it("says which key is missing and what to do about it", () => {
    expect(() => open(after, seal(before, "secret", "ds_1"), "ds_1")).toThrow(
      "the master key old is not in the keyring: add it back until all secrets are resealed",
    );
  });
});

describe("changing the master key", () => {
  it("rewraps a secret so that it opens with the new key alone, and leaves the payload untouched", () => {
    const envelope = seal(before, "secret", "ds_1");
    const resealed = reseal(during, envelope, "ds_1");
    expect(open(after, resealed, "ds_1")).toBe("secret");
    expect(opens(before, resealed)).toBe(false);
    expect(resealed.split(".")[3]).toBe(envelope.split(".")[3]);
    expect(resealed.split(".")[2]).not.toBe(envelope.split(".")[2]);
    expect([sealedWith(envelope), sealedWith(resealed)]).toEqual(["old", "new"]);
  });

  it("leaves alone what is already under the active key", () => {
    const envelope = seal(during, "secret", "ds_1");
    expect(reseal(during, envelope, "ds_1")).toBe(envelope);
  });

  it("opens secrets of both keys while both are in the keyring, and seals with the first", () => {
    expect(open(during, seal(before, "old secret", "ds_1"), "ds_1")).toBe("old secret");
    expect(sealedWith(seal(during, "new secret", "ds_1"))).toBe("new");
  });

  it("does not reseal a secret in another context", () => {
    expect(() => reseal(during, seal(before, "secret", "ds_1"), "ds_2")).toThrow();
  });
});
