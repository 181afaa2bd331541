import type { Id, Role } from "@svc/contract";
import { uuidOf } from "@svc/platform/ids";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createOrgAsOperator } from "../create-org.ts";
import { createIdentityFixture, type IdentityFixture, NOWHERE } from "../testing/identity-fixture.ts";
import { findOrCreatePerson } from "./find-or-create-person.ts";
import type { Account } from "./read-account.ts";

let fixture: IdentityFixture;
const ORIGIN = { address: "192.0.2.7", userAgent: "a browser" };

beforeAll(async () => {
  fixture = await createIdentityFixture();
});
afterAll(() => fixture?.close());
beforeEach(() => sql`truncate identity.orgs, identity.users, identity.audit cascade`.execute(fixture.context.db));

const account = (change: Partial<Account> = {}): Account => ({
  provider: "google",
  subject: "g-1",
  address: "ada@acme.example",
  isVouched: true,
  name: "Ada",
  ...change,
});

const signIn = async (change: Partial<Account> = {}): Promise<Id<"usr">> =>
  (await findOrCreatePerson(fixture.context, account(change), ORIGIN)).userId;

async function invite(orgId: Id<"org">, email: string, role: Role, expiresIn = "7 days"): Promise<void> {
  await sql`insert into identity.invitations (org_id, id, email, role, expires_at)
    values (${uuidOf(orgId)}, gen_random_uuid(), ${email}, ${role}, now() + ${expiresIn}::interval)`.execute(
    fixture.context.db,
  );
}

async function rolesOf(userId: Id<"usr">): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string; role: string }>`
    select org.name, role from identity.memberships join identity.orgs org on org.id = org_id
    where user_id = ${uuidOf(userId)}`.execute(fixture.context.db);
  return Object.fromEntries(rows.map(({ name, role }) => [name, role]));
}

async function people(): Promise<unknown[]> {
  const { rows } = await sql`select email, email_vouched, name from identity.users order by id`.execute(
    fixture.context.db,
  );
  return rows;
}

async function audit(): Promise<unknown[]> {
  const { rows } = await sql`select action, actor_kind, details, address from identity.audit
    where action <> 'org.created' order by id`.execute(fixture.context.db);
  return rows;
}

async function newOrg(name: string, wanted: { domains?: string[]; admin_email?: string } = {}): Promise<Id<"org">> {
  return (await createOrgAsOperator(fixture.context, { name, ...wanted }, NOWHERE)).org.id;
}

describe("who signs in", () => {
  it("for the first time is a new person, in no organization", async () => {
    const userId = await signIn();
    expect(await people()).toEqual([{ email: "ada@acme.example", email_vouched: true, name: "Ada" }]);
    expect(await rolesOf(userId)).toEqual({});
  });

  it("again is the same person, by the account and whatever the address, with the name of today", async () => {
    const first = await signIn();
    expect(await signIn({ name: "Ada L.", address: "lovelace@acme.example" })).toBe(first);
    expect(await people()).toEqual([{ email: "lovelace@acme.example", email_vouched: true, name: "Ada L." }]);
    expect(await signIn({ name: null })).toBe(first);
    expect(await people()).toMatchObject([{ name: "Ada L." }]);
  });

  it("with the same subject at another provider is somebody else", async () => {
    const first = await signIn({ isVouched: false });
    expect(await signIn({ provider: "microsoft", isVouched: false })).not.toBe(first);
  });

  it("with the vouched address of another account is refused, not let in as them", async () => {
    const first = await signIn();
    await expect(signIn({ provider: "microsoft", subject: "t:o" })).rejects.toMatchObject({ kind: "account-exists" });
    await expect(signIn({ subject: "g-2", address: "ADA@acme.example" })).rejects.toMatchObject({
      kind: "account-exists",
    });
    expect(await people()).toHaveLength(1);
    expect(await signIn()).toBe(first);
  });

  it("with an address that nobody vouches for is nobody else, whoever holds it", async () => {
    const first = await signIn();
    const stranger = await signIn({ provider: "microsoft", subject: "t:evil", isVouched: false });
    expect(stranger).not.toBe(first);
    const another = await signIn({ provider: "microsoft", subject: "t:evil2", isVouched: false });
    expect(new Set([first, stranger, another]).size).toBe(3);
  });

  it("as whom the operator has named is that person, not made again", async () => {
    await newOrg("Acme", { admin_email: "Ada@Acme.example" });
    const userId = await signIn();
    expect(await people()).toHaveLength(1);
    expect(await rolesOf(userId)).toEqual({ Acme: "owner" });
    await expect(signIn({ subject: "g-2" })).rejects.toMatchObject({ kind: "account-exists" });
  });

  it("is not whom the operator has named when nobody vouches for the address", async () => {
    await newOrg("Acme", { admin_email: "ada@acme.example" });
    const userId = await signIn({ isVouched: false });
    expect(await rolesOf(userId)).toEqual({});
    expect(await people()).toHaveLength(2);
  });

  it("keeps a vouched address when the provider names another without vouching for it", async () => {
    await signIn();
    await signIn({ address: "ceo@acme.example", isVouched: false });
    expect(await people()).toMatchObject([{ email: "ada@acme.example", email_vouched: true }]);
  });

  it("does not take over an address that has a holder", async () => {
    await signIn({ subject: "g-2", address: "bob@acme.example" });
    await signIn({ isVouched: false });
    await signIn({ address: "bob@acme.example" });
    expect(await people()).toMatchObject([
      { email: "bob@acme.example", email_vouched: true },
      { email: "ada@acme.example", email_vouched: false },
    ]);
  });
});

describe("an invitation", () => {
  it("is accepted with its role, once, whatever the case of the address", async () => {
    const orgId = await newOrg("Acme");
    await invite(orgId, "ADA@acme.example", "admin");
    const userId = await signIn();
    expect(await rolesOf(userId)).toEqual({ Acme: "admin" });
    expect((await sql`select 1 from identity.invitations`.execute(fixture.context.db)).rows).toEqual([]);
    expect(await audit()).toEqual([
      { action: "invitation.accepted", actor_kind: "user", details: { role: "admin" }, address: "192.0.2.7" },
      {
        action: "member.joined",
        actor_kind: "user",
        details: { role: "admin", by: "invitation" },
        address: "192.0.2.7",
      },
    ]);
  });

  it("reaches also who has signed in before, and several at once", async () => {
    const userId = await signIn();
    await invite(await newOrg("One"), "ada@acme.example", "viewer");
    await invite(await newOrg("Two"), "ada@acme.example", "developer");
    expect(await signIn()).toBe(userId);
    expect(await rolesOf(userId)).toEqual({ One: "viewer", Two: "developer" });
  });

  it("that is over, or is somebody else's, lets nobody in", async () => {
    const orgId = await newOrg("Acme");
    await invite(orgId, "ada@acme.example", "owner", "-1 second");
    await invite(orgId, "bob@acme.example", "owner");
    expect(await rolesOf(await signIn())).toEqual({});
  });

  it("lets nobody in whose address is not vouched for", async () => {
    await invite(await newOrg("Acme"), "ada@acme.example", "owner");
    expect(await rolesOf(await signIn({ isVouched: false }))).toEqual({});
    expect((await sql`select 1 from identity.invitations`.execute(fixture.context.db)).rows).toHaveLength(1);
  });

  it("changes nothing for a member, whose role is the members' page's business", async () => {
    const orgId = await newOrg("Acme", { admin_email: "ada@acme.example" });
    const userId = await signIn();
    await invite(orgId, "ada@acme.example", "viewer");
    await signIn();
    expect(await rolesOf(userId)).toEqual({ Acme: "owner" });
  });
});

describe("the domain of an address", () => {
  it("lets its people in as members at the first sign-in", async () => {
    await newOrg("Acme", { domains: ["acme.example"] });
    expect(await rolesOf(await signIn({ address: "ada@ACME.example" }))).toEqual({ Acme: "member" });
    expect(await audit()).toEqual([
      {
        action: "member.joined",
        actor_kind: "system",
        details: { role: "member", by: "domain", domain: "acme.example" },
        address: "192.0.2.7",
      },
    ]);
  });

  it("does not bring back who was removed", async () => {
    await newOrg("Acme", { domains: ["acme.example"] });
    const userId = await signIn();
    await sql`delete from identity.memberships`.execute(fixture.context.db);
    await signIn();
    expect(await rolesOf(userId)).toEqual({});
  });

  it("counts from the day a provider vouches for the address", async () => {
    await newOrg("Acme", { domains: ["acme.example"] });
    const userId = await signIn({ isVouched: false });
    expect(await rolesOf(userId)).toEqual({});
    await signIn();
    expect(await rolesOf(userId)).toEqual({ Acme: "member" });
  });

  it("gives way to an invitation", async () => {
    const orgId = await newOrg("Acme", { domains: ["acme.example"] });
    await invite(orgId, "ada@acme.example", "admin");
    expect(await rolesOf(await signIn())).toEqual({ Acme: "admin" });
  });

  it.each([
    ["nobody vouches for", { isVouched: false }],
    ["is another", { address: "ada@other.example" }],
    ["lies inside it", { address: "ada@sub.acme.example" }],
    ["it lies inside of", { address: "ada@example" }],
  ])("lets nobody in with an address that %s", async (_what, change) => {
    await newOrg("Acme", { domains: ["acme.example"] });
    expect(await rolesOf(await signIn(change))).toEqual({});
  });

  it("of free mail lets nobody in, even where somebody has claimed it", async () => {
    const orgId = await newOrg("Acme");
    await sql`insert into identity.org_domains (domain, org_id) values ('gmail.com', ${uuidOf(orgId)})`.execute(
      fixture.context.db,
    );
    expect(await rolesOf(await signIn({ address: "ada@gmail.com" }))).toEqual({});
  });
});

describe("ten first sign-ins of one person at once", () => {
  it("make one person, who joins once", async () => {
    const orgId = await newOrg("Acme", { domains: ["acme.example"] });
    await invite(orgId, "ada@acme.example", "developer");
    await invite(await newOrg("Other"), "ada@acme.example", "viewer");
    const userIds = await Promise.all(Array.from({ length: 10 }, () => signIn()));
    expect(new Set(userIds).size).toBe(1);
    expect(await people()).toHaveLength(1);
    expect(await rolesOf(userIds[0] as Id<"usr">)).toEqual({ Acme: "developer", Other: "viewer" });
    expect(await audit()).toHaveLength(4);
  });

  it("do so while an operator names the same person", async () => {
    const [, ...userIds] = await Promise.all([
      newOrg("Acme", { admin_email: "ada@acme.example" }),
      ...Array.from({ length: 10 }, () => signIn()),
    ]);
    expect(new Set(userIds).size).toBe(1);
    expect(await people()).toHaveLength(1);
    expect(await rolesOf(userIds[0] as Id<"usr">)).toEqual({ Acme: "owner" });
  });

  it.each([[{}], [{ admin_email: "ada@acme.example" }]])(
    "with ten accounts of one address let one in: %o",
    async (org) => {
      await newOrg("Acme", org);
      const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, at) => signIn({ subject: `g-${at}` })));
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await people()).toHaveLength(1);
    },
  );

  it("without a vouched address make one person too", async () => {
    const userIds = await Promise.all(Array.from({ length: 10 }, () => signIn({ isVouched: false })));
    expect(new Set(userIds).size).toBe(1);
    expect(await people()).toHaveLength(1);
  });
});
