import { describe, expect, it } from "vitest";
import { findRedirectTarget } from "./redirect-target.ts";

const allowed = new Set(["https://app.example.com", "https://console.example.com:8443", "http://127.0.0.1:4000"]);
const find = (wanted: string): string | undefined => findRedirectTarget(wanted, allowed)?.href;

describe("where a person may be sent after signing in", () => {
  it.each([
    ["https://app.example.com", "https://app.example.com/"],
    ["https://app.example.com/", "https://app.example.com/"],
    ["https://app.example.com/a/b?c=d&e=%2F%2Fevil#f", "https://app.example.com/a/b?c=d&e=%2F%2Fevil#f"],
    ["https://app.example.com?next=//evil.example", "https://app.example.com/?next=//evil.example"],
    ["https://app.example.com:443/a", "https://app.example.com/a"],
    ["HTTPS://APP.EXAMPLE.COM/A", "https://app.example.com/A"],
    ["https://app.example.com/@evil.example", "https://app.example.com/@evil.example"],
    ["https://console.example.com:8443/x", "https://console.example.com:8443/x"],
    ["http://127.0.0.1:4000/x", "http://127.0.0.1:4000/x"],
  ])("%s is on the list", (wanted, target) => {
    expect(find(wanted)).toBe(target);
  });

  it.each([
    ["another host", "https://evil.example"],
    ["a longer host", "https://app.example.com.evil"],
    ["a longer host with a path", "https://app.example.com.evil/"],
    ["a host that ends alike", "https://evilapp.example.com"],
    ["a sub-domain", "https://x.app.example.com"],
    ["a final dot", "https://app.example.com./"],
    ["userinfo", "https://app.example.com@evil"],
    ["userinfo with a password", "https://app.example.com:443@evil/"],
    ["userinfo before the right host", "https://user@app.example.com/"],
    ["an escaped @", "https://app.example.com%40evil/"],
    ["an escaped slash in the host", "https://app.example.com%2f.evil/"],
    ["a backslash before the path", "https://app.example.com\\@evil"],
    ["a backslash in the path", "https://app.example.com/\\evil"],
    ["another port", "https://app.example.com:8443/"],
    ["no port where there is one", "https://console.example.com/"],
    ["http", "http://app.example.com/"],
    ["http on another machine", "http://127.0.0.1.evil:4000/"],
    ["this machine by another name", "http://localhost:4000/"],
    ["no scheme", "//evil"],
    ["no scheme, right host", "//app.example.com"],
    ["a slash and a backslash", "/\\evil"],
    ["two backslashes", "\\\\evil"],
    ["escaped slashes", "%2f%2fevil"],
    ["a slash and an escaped one", "/%2fevil"],
    ["a path", "/settings"],
    ["a word", "settings"],
    ["one slash", "https:/app.example.com"],
    ["no slash", "https:app.example.com"],
    ["no slash, another host", "https:evil"],
    ["three slashes", "https:///app.example.com"],
    ["javascript:", "javascript:alert(1)"],
    ["javascript: with a look", "javascript://app.example.com/%0aalert(1)"],
    ["data:", "data:text/html,x"],
    ["blob:", "blob:https://app.example.com/x"],
    ["file:", "file:///etc/passwd"],
    ["ftp:", "ftp://app.example.com/"],
    ["a blank in front", " https://app.example.com"],
    ["a blank behind", "https://app.example.com "],
    ["a blank inside", "https://app.example.com/a b"],
    ["a tab in the scheme", "ht\ttps://app.example.com"],
    ["a line break", "https://app.example.com/\r\nSet-Cookie: a=b"],
    ["a null", "https://app.example.com/\0"],
    ["another alphabet", "https://аpp.example.com/"],
    ["wide characters", "https://app。example。com/"],
    ["a soft hyphen", "https://app\u00ad.example.com/"],
    ["no host", "https://"],
    ["nothing", ""],
    ["too much", `https://app.example.com/${"a".repeat(1_000)}`],
  ])("%s is not", (_what, wanted) => {
    expect(find(wanted)).toBeUndefined();
  });
});
