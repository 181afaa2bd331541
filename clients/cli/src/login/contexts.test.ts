import { describe, expect, it } from "vitest";
import { readApiUrl, sendsInClear } from "./api-url.ts";
import { checkContextName, nameForLogin } from "./contexts.ts";
import type { Logins, SavedLogin } from "./login-file.ts";

const login = (api_url: string, org: string): SavedLogin => ({
  api_url,
  api_key: "key",
  org: { id: org, slug: org, name: org },
  user: null,
});
const having = (contexts: Record<string, SavedLogin>, current: string | null = null): Logins => {
  return { version: 1, current, contexts };
};
const ACME = login("https://app.example.com", "org_acme");
const OTHER = login("https://app.example.com", "org_other");

describe("the name of a new login", () => {
  it.each([
    ["https://app.example.com", "app.example.com"],
    ["https://app.example.com:8443", "app.example.com:8443"],
    ["http://localhost:8080", "localhost:8080"],
    ["http://[::1]:8080", "1:8080"],
  ])("is that of the instance: %s", (url, name) => {
    expect(nameForLogin(having({}), login(url, "org_acme"))).toBe(name);
    expect(checkContextName(name)).toBe(name);
  });

  it("is the one it had, under whatever name it was saved", () => {
    expect(nameForLogin(having({ work: ACME }), ACME)).toBe("work");
    expect(nameForLogin(having({ work: ACME, home: ACME }, "home"), ACME)).toBe("home");
  });

  it("is another one for another organization of the same instance", () => {
    const taken = having({ "app.example.com": OTHER });
    expect(nameForLogin(taken, ACME)).toBe("app.example.com-2");
    const twice = having({ "app.example.com": OTHER, "app.example.com-2": login(OTHER.api_url, "org_third") });
    expect(nameForLogin(twice, ACME)).toBe("app.example.com-3");
  });

  it("is the one that is wanted, unless another login has it", () => {
    expect(nameForLogin(having({ work: ACME }), OTHER, "home")).toBe("home");
    expect(nameForLogin(having({ work: ACME }), ACME, "work")).toBe("work");
    expect(() => nameForLogin(having({ work: ACME }), OTHER, "work")).toThrow("--force");
    expect(nameForLogin(having({ work: ACME }), OTHER, "work", true)).toBe("work");
  });

  it.each(["", "__proto__", "a b", "../x", "-x", "x".repeat(101)])("cannot be %j", (name) => {
    expect(() => nameForLogin(having({}), ACME, name)).toThrow("starts with a letter or digit");
  });
});

describe("an address", () => {
  it.each([
    ["https://app.example.com", "https://app.example.com"],
    ["https://app.example.com/", "https://app.example.com"],
    ["HTTPS://App.Example.com:443", "https://app.example.com"],
    ["http://localhost:8080", "http://localhost:8080"],
  ])("is the same however it is written: %s", (text, url) => {
    expect(readApiUrl(text)).toBe(url);
  });

  it.each([
    ["app.example.com", "no address"],
    ["localhost:8080", "no address"],
    ["ftp://app.example.com", "no address"],
    ["https://app.example.com/console", "without a path: https://app.example.com"],
    ["https://app.example.com/?x=1", "without a path"],
    ["https://ada:secret@app.example.com", "Leave user name and password out"],
  ])("is refused with a reason: %s", (text, reason) => {
    expect(() => readApiUrl(text)).toThrow(reason);
  });

  it("sends in clear only over http to another machine", () => {
    const urls = [
      "https://a.example.com",
      "http://localhost:1",
      "http://127.0.0.1:1",
      "http://[::1]:1",
      "http://a.example.com",
      "http://127.0.0.1.example.com",
    ];
    expect(urls.map(sendsInClear)).toEqual([false, false, false, false, true, true]);
  });
});
