import { EncryptJWT } from "jose";
import { afterEach, describe, expect, it, vi } from "vitest";
import { deriveTokenKeys } from "../token-keys.ts";
import { findAttemptCookie, newAttempt, openAttempt, sealAttempt } from "./attempt.ts";

const keys = deriveTokenKeys("1".repeat(64), "2".repeat(64));
const attempt = newAttempt("google", "https://app.example.com/");

afterEach(() => vi.useRealTimers());

describe("an attempt to sign in", () => {
  it("is remembered by the browser, which cannot read it", async () => {
    const sealed = await sealAttempt(keys, attempt);
    expect(await openAttempt(keys, sealed)).toMatchObject(attempt);
    for (const secret of [attempt.state, attempt.nonce, attempt.codeVerifier]) expect(sealed).not.toContain(secret);
    const texts = sealed.split(".").map((part) => Buffer.from(part, "base64url").toString("latin1"));
    expect(texts.join(" ")).not.toContain(attempt.codeVerifier);
  });

  it("is over after ten minutes", async () => {
    vi.useFakeTimers();
    const sealed = await sealAttempt(keys, attempt);
    vi.advanceTimersByTime(599_000);
    expect(await openAttempt(keys, sealed)).toBeDefined();
    vi.advanceTimersByTime(2_000);
    expect(await openAttempt(keys, sealed)).toBeUndefined();
  });

  it("is over when either secret changes", async () => {
    const sealed = await sealAttempt(keys, attempt);
    expect(await openAttempt(deriveTokenKeys("3".repeat(64), "2".repeat(64)), sealed)).toBeUndefined();
    expect(await openAttempt(deriveTokenKeys("1".repeat(64), "3".repeat(64)), sealed)).toBeUndefined();
  });

  it("that was changed, made up or meant for something else is none", async () => {
    const sealed = await sealAttempt(keys, attempt);
    const at = sealed.length - 40;
    const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
    const foreign = await new EncryptJWT({ ...attempt })
      .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .setAudience("something else")
      .setExpirationTime("1m")
      .encrypt(keys.cookieKey);
    for (const text of [changed, foreign, "", "a.b.c.d.e", sealed.slice(1)])
      expect(await openAttempt(keys, text)).toBeUndefined();
  });

  it("has a cookie of its own", () => {
    const names = [attempt, newAttempt("google", "https://app.example.com/")].map(({ state }) =>
      findAttemptCookie(state),
    );
    expect(new Set(names).size).toBe(2);
    expect(findAttemptCookie("svc_session; Path=/")).toBeUndefined();
    expect(findAttemptCookie("")).toBeUndefined();
  });
});
