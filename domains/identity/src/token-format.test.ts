import { describe, expect, it } from "vitest";
import {
  displayPrefixOf,
  isWellFormedApiToken,
  isWellFormedSupportToken,
  makeApiToken,
  makeSupportToken,
} from "./token-format.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

describe("an API token", () => {
  it("has the form that scanners look for, passes its own check and never repeats", () => {
    const tokens = Array.from({ length: 1_000 }, makeApiToken);
    expect(tokens.filter((token) => !/^svc_[0-9A-Za-z]{38}$/.test(token))).toEqual([]);
    expect(tokens.filter((token) => !isWellFormedApiToken(token))).toEqual([]);
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  it("uses every character of its alphabet", () => {
    const seen = new Set(Array.from({ length: 200 }, () => makeApiToken().slice(4, 36)).join(""));
    expect([...seen].toSorted()).toEqual(Array.from(ALPHABET).toSorted());
  });

  it("is known for a typo whichever character of it was changed", () => {
    const token = makeApiToken();
    const accepted: string[] = [];
    for (let at = 0; at < token.length; at += 1) {
      for (const character of `${ALPHABET}_- `) {
        const changed = token.slice(0, at) + character + token.slice(at + 1);
        if (changed !== token && isWellFormedApiToken(changed)) accepted.push(changed);
      }
    }
    expect(accepted).toEqual([]);
  });

  it("is known for a typo when two neighbours were swapped, or something was cut off or added", () => {
    const token = makeApiToken();
    const swapped = Array.from(
      { length: token.length - 1 },
      (_, at) => token.slice(0, at) + token[at + 1] + token[at] + token.slice(at + 2),
    );
    const others = [
      token.slice(0, -1),
      token.slice(1),
      `${token}0`,
      `${token}\n`,
      ` ${token}`,
      token.toUpperCase(),
      "",
    ];
    expect([...swapped, ...others].filter((text) => text !== token && isWellFormedApiToken(text))).toEqual([]);
  });

  it("is told from a support token, and the other way round", () => {
    const [api, support] = [makeApiToken(), makeSupportToken()];
    expect([isWellFormedApiToken(support), isWellFormedSupportToken(api)]).toEqual([false, false]);
    expect([isWellFormedApiToken(api), isWellFormedSupportToken(support)]).toEqual([true, true]);
  });

  it("is shown to people by a few characters that do not give it away", () => {
    const token = makeApiToken();
    expect(displayPrefixOf(token)).toBe(token.slice(0, 10));
  });

  it("made by another version of this code is still known as one", () => {
    // The checksum is CRC-32 in base62, worked out with another program.
    expect(isWellFormedApiToken("svc_0123456789ABCDEFGHIJKLMNOPQRSTUV1ggZdL")).toBe(true);
  });
});
