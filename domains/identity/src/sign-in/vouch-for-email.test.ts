import { describe, expect, it } from "vitest";
import { domainOf, isVouchedByGoogle, isVouchedByMicrosoft } from "./vouch-for-email.ts";

const TENANT = "11111111-2222-3333-4444-555555555555";
const OTHER = "99999999-2222-3333-4444-555555555555";

describe("Google vouches for an address", () => {
  it.each([
    ["of a Workspace's own domain", "ada@acme.example", { email_verified: true, hd: "acme.example" }, true],
    ["whatever its case", "Ada@ACME.example", { email_verified: true, hd: "Acme.Example" }, true],
    ["of its free mail", "ada@gmail.com", { email_verified: true }, true],
    ["of its free mail, by the other name", "ada@googlemail.com", { email_verified: true }, true],
    [
      "not of another domain than the Workspace's",
      "ada@other.example",
      { email_verified: true, hd: "acme.example" },
      false,
    ],
    [
      "not of a domain inside the Workspace's",
      "ada@sub.acme.example",
      { email_verified: true, hd: "acme.example" },
      false,
    ],
    ["not of a domain that nobody at Google manages", "ada@acme.example", { email_verified: true }, false],
    ["not when it was not checked", "ada@acme.example", { email_verified: false, hd: "acme.example" }, false],
    ["not when it does not say", "ada@acme.example", { hd: "acme.example" }, false],
    ["not in words", "ada@acme.example", { email_verified: "true", hd: "acme.example" }, false],
    ["not of a lookalike of its free mail", "ada@gmail.com.evil", { email_verified: true }, false],
  ])("%s", (_what, address, claims, expected) => {
    expect(isVouchedByGoogle(address, claims)).toBe(expected);
  });
});

describe("Microsoft vouches for an address", () => {
  const email = "ada@acme.example";

  it.each([
    ["of the tenant that the operator has pinned", { email, tid: TENANT }, TENANT, true],
    ["not of another tenant", { email, tid: OTHER }, TENANT, false],
    ["not of any tenant when none is pinned", { email, tid: TENANT }, "common", false],
    ["not of any organization when none is pinned", { email, tid: TENANT }, "organizations", false],
    ["not of a personal account", { email, tid: TENANT }, "consumers", false],
    ["whose domain it has seen proven", { email, xms_edov: true }, "common", true],
    ["whose domain it has seen proven, as a number", { email, xms_edov: 1 }, "common", true],
    ["whose domain it has seen proven, as a digit", { email, xms_edov: "1" }, "common", true],
    ["not with a proof of false", { email, xms_edov: false }, "common", false],
    ["not with a proof of 0", { email, xms_edov: "0" }, "common", false],
    ["not with a proof in words", { email, xms_edov: "true" }, "common", false],
    ["not by the proof of another claim", { preferred_username: email, xms_edov: true }, "common", false],
    ["that it has verified", { email, verified_primary_email: ["ADA@acme.example"] }, "common", true],
    ["not when it has verified another", { email, verified_primary_email: ["eve@acme.example"] }, "common", false],
    ["not when it has verified none", { email, verified_primary_email: [] }, "common", false],
    ["not by email_verified, which it does not know", { email, email_verified: true }, "common", false],
  ])("%s", (_what, claims, tenantId, expected) => {
    expect(isVouchedByMicrosoft(email, claims, tenantId)).toBe(expected);
  });
});

it("takes the domain after the last @, in lower case and in ASCII", () => {
  expect(domainOf("Ada@ACME.example")).toBe("acme.example");
  expect(domainOf('"a@b"@acme.example')).toBe("acme.example");
  expect(domainOf("ada@bücher.example")).toBe("xn--bcher-kva.example");
});
