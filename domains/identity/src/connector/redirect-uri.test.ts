import { describe, expect, it } from "vitest";
import { findRedirectUriProblem, originOfRedirect, withoutLoopbackPort } from "./redirect-uri.ts";

describe("where an agent may have people sent", () => {
  it.each([
    "https://agent.example.com/callback",
    "https://agent.example.com:8443/callback?tenant=1",
    "https://agent.example.com",
    "http://127.0.0.1/callback",
    "http://127.0.0.1:49152/callback",
    "http://[::1]:3000/",
    "http://localhost",
  ])("%s", (uri) => expect(findRedirectUriProblem(uri)).toBeUndefined());

  it.each([
    ["http elsewhere", "http://agent.example.com/callback"],
    ["http on what only looks like this machine", "http://localhost.example.com/callback"],
    ["http on this machine by another name", "http://127.1/callback"],
    ["http on this machine by a number", "http://2130706433/callback"],
    ["https on this machine", "https://localhost/callback"],
    ["a fragment", "https://agent.example.com/callback#token"],
    ["an empty fragment", "https://agent.example.com/callback#"],
    ["a wildcard host", "https://*.example.com/callback"],
    ["a wildcard path", "https://agent.example.com/*"],
    ["a name", "https://user@agent.example.com/callback"],
    ["a name and password", "https://user:secret@agent.example.com/callback"],
    ["an empty name", "https://@agent.example.com/callback"],
    ["another scheme", "cursor://callback"],
    ["a script", "javascript:alert(1)"],
    ["data", "data:text/html,hello"],
    ["no scheme", "//agent.example.com/callback"],
    ["a scheme without slashes", "https:agent.example.com/callback"],
    ["a backslash", "https://agent.example.com\\@evil.example/"],
    ["a blank", " https://agent.example.com/"],
    ["a line break", "https://agent.example.com/\n"],
    ["more characters than anyone needs", `https://agent.example.com/${"x".repeat(1_000)}`],
    ["no string", 7],
    ["nothing", undefined],
  ])("not with %s", (_what, uri) => expect(findRedirectUriProblem(uri)).toMatch(/^must /));
});

describe("the port of a program on the person's own machine", () => {
  it.each([
    ["http://127.0.0.1:49152/callback", "http://127.0.0.1/callback", "http://127.0.0.1"],
    ["http://[::1]:3000/cb?x=:80", "http://[::1]/cb?x=:80", "http://[::1]"],
    ["http://[::1]/cb", "http://[::1]/cb", "http://[::1]"],
    ["http://localhost:1", "http://localhost", "http://localhost"],
    ["https://agent.example.com:8443/cb", "https://agent.example.com:8443/cb", "https://agent.example.com:8443"],
  ])("does not count: %s", (uri, kept, origin) => {
    expect([withoutLoopbackPort(uri), originOfRedirect(uri)]).toEqual([kept, origin]);
  });
});
