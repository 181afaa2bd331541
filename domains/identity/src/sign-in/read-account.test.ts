import { describe, expect, it } from "vitest";
import { isIssuerOfTenant } from "./microsoft-tenant.ts";
import { readGoogleAccount, readMicrosoftAccount } from "./read-account.ts";

const TENANT = "11111111-2222-3333-4444-555555555555";
const microsoft = {
  iss: `https://login.microsoftonline.com/${TENANT}/v2.0`,
  sub: "pairwise",
  tid: TENANT,
  oid: "AAAA",
  email: "ada@acme.example",
  name: " Ada ",
};

describe("an account", () => {
  it("at Google is known by its sub", () => {
    const claims = { sub: "g-1", email: "ada@gmail.com", email_verified: true, name: "Ada" };
    expect(readGoogleAccount(claims)).toEqual({
      provider: "google",
      subject: "g-1",
      address: "ada@gmail.com",
      isVouched: true,
      name: "Ada",
    });
  });

  it("at Microsoft is known by tenant and object, whatever the app", () => {
    expect(readMicrosoftAccount(microsoft, TENANT)).toEqual({
      provider: "microsoft",
      subject: `${TENANT}:aaaa`,
      address: "ada@acme.example",
      isVouched: true,
      name: "Ada",
    });
  });

  it("without a name has none, and one with a long name a shorter one", () => {
    const named = (name: unknown): string | null => readMicrosoftAccount({ ...microsoft, name }, TENANT).name;
    expect([named(undefined), named(""), named("  "), named(7)]).toEqual([null, null, null, null]);
    expect(named("x".repeat(300))).toHaveLength(200);
  });

  it("at Microsoft without a mailbox goes by its sign-in name", () => {
    const { email: _email, ...rest } = microsoft;
    const account = readMicrosoftAccount({ ...rest, preferred_username: "ada@acme.example" }, "common");
    expect(account).toMatchObject({ address: "ada@acme.example", isVouched: false });
  });

  it.each([
    ["no address", { email: undefined }, "no-address"],
    ["an address that is none", { email: "ada" }, "no-address"],
    ["no tenant", { tid: undefined }, "provider-refused"],
    ["no object", { oid: undefined }, "provider-refused"],
    ["a tenant that is none", { tid: "common" }, "tenant-not-allowed"],
    ["an issuer of another tenant", { iss: microsoft.iss.replaceAll("1", "9") }, "tenant-not-allowed"],
  ])("at Microsoft with %s is refused", (_what, change, kind) => {
    expect(() => readMicrosoftAccount({ ...microsoft, ...change }, "common")).toThrow(
      expect.objectContaining({ kind }),
    );
  });

  it("at Google without a sub or an address is refused", () => {
    expect(() => readGoogleAccount({ email: "a@b.example" })).toThrow(
      expect.objectContaining({ kind: "provider-refused" }),
    );
    expect(() => readGoogleAccount({ sub: "g-1" })).toThrow(expect.objectContaining({ kind: "no-address" }));
  });
});

it("an issuer that names a tenant speaks for that one alone, and one that names none for all", () => {
  expect(isIssuerOfTenant(microsoft.iss, TENANT)).toBe(true);
  expect(isIssuerOfTenant(microsoft.iss, TENANT.replaceAll("1", "9"))).toBe(false);
  expect(isIssuerOfTenant("https://stand-in.example", TENANT)).toBe(true);
});
