import { describe, expect, it } from "vitest";
import { prepareAuthorizationQuery, prepareTokenForm } from "./prepare-request.ts";

const RESOURCE = "https://mcp.example.com/platform";
const prepared = (search: string): URLSearchParams => new URLSearchParams(prepareAuthorizationQuery(search));
const READ_ALL = "data:read notifications:read apps:read";

describe("an authorization request", () => {
  it.each([
    ["no scope", "", READ_ALL],
    ["an empty one", "scope=", READ_ALL],
    ["only OpenID's", "scope=openid+profile+offline_access", READ_ALL],
    ["one of ours", "scope=notifications:write", "notifications:write"],
    ["ours and OpenID's", "scope=openid+data:read", "data:read"],
    ["ours and unknown ones", "scope=data:read+data:drop", "data:read"],
    ["only unknown ones", "scope=data:drop", "data:drop"],
  ])("with %s", (_what, search, scope) => expect(prepared(search).get("scope")).toBe(scope));

  it.each([
    ["a slash at the end", `${RESOURCE}/`],
    ["a host in capitals", "https://MCP.example.com/platform"],
    ["the port that it has anyway", "https://mcp.example.com:443/platform"],
  ])("means our resource with %s", (_what, resource) =>
    expect(prepared(`resource=${encodeURIComponent(resource)}`).getAll("resource")).toEqual([RESOURCE]),
  );

  it("leaves another resource as it is", () => {
    expect(prepared("resource=https://other.example/x?y=1").get("resource")).toBe("https://other.example/x?y=1");
    expect(prepared("resource=nonsense").get("resource")).toBe("nonsense");
  });

  it("leaves what is given twice to be refused", () => {
    expect(prepared("client_id=a&client_id=b").getAll("client_id")).toEqual(["a", "b"]);
    expect(prepared("scope=a&scope=b").getAll("scope")).toEqual(["a", "b"]);
  });

  it("ignores what only OpenID Connect knows", () => {
    expect(prepared("nonce=1&max_age=0&claims={}&state=s").toString()).toBe(
      new URLSearchParams({ state: "s", response_mode: "query", scope: READ_ALL }).toString(),
    );
  });

  it.each([
    ["login", "consent"],
    ["select_account", "consent"],
    ["none", "none"],
  ])("with the prompt %s asks for %s", (prompt, asked) =>
    expect(prepared(`prompt=${prompt}`).get("prompt")).toBe(asked),
  );
});

describe("a token request", () => {
  it("names our resource in its one form, or none", () => {
    const form = prepareTokenForm(`grant_type=x&resource=${encodeURIComponent(`${RESOURCE}/`)}`, RESOURCE);
    expect(Object.fromEntries(new URLSearchParams(form))).toEqual({ grant_type: "x", resource: RESOURCE });
    expect(prepareTokenForm("grant_type=x", RESOURCE)).toBe("grant_type=x");
  });

  it("is refused for another resource, alone or beside ours", () => {
    expect(prepareTokenForm("resource=https://other.example", RESOURCE)).toBeUndefined();
    const both = `resource=${encodeURIComponent(RESOURCE)}&resource=https://other.example`;
    expect(prepareTokenForm(both, RESOURCE)).toBeUndefined();
  });
});
