import { randomBytes } from "node:crypto";
import { REVOCATION_CHANNEL } from "@svc/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { IdentityContext } from "../context.ts";
import { createOrg } from "../create-org.ts";
import { createIdentityFixture, type IdentityFixture, NOWHERE } from "../testing/identity-fixture.ts";
import { deriveTokenKeys } from "../token-keys.ts";
import { validateToken } from "../validate-token.ts";
import { deleteExpired } from "./delete-expired.ts";
import { mintToken } from "./describe-session.ts";
import { endSession, endSessionsEverywhere } from "./end-session.ts";
import { exchangeCode, issueExchangeCode } from "./exchange-code.ts";
import { findOrCreatePerson } from "./find-or-create-person.ts";
import { findSession, findSessionOfToken, type LiveSession } from "./find-session.ts";
import { type Person, startSession } from "./start-session.ts";

const ORIGIN = { address: "192.0.2.7", userAgent: "a browser".padEnd(400, "!") };
const APP = "https://console.example.com";
let fixture: IdentityFixture;
let context: IdentityContext;
let person: Person;

beforeAll(async () => {
  fixture = await createIdentityFixture();
  ({ context } = fixture);
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  await sql`truncate identity.orgs, identity.users, identity.audit cascade`.execute(context.db);
  fixture.published.length = 0;
  const account = { provider: "google", subject: "g-1", address: "ada@acme.example", isVouched: true } as const;
  person = await findOrCreatePerson(context, { ...account, name: "Ada" }, ORIGIN);
  await createOrg(context, { name: "One", ownerId: person.userId }, ORIGIN);
  await createOrg(context, { name: "Two", ownerId: person.userId }, ORIGIN);
});

async function start(): Promise<LiveSession & { secret: string }> {
  const { secret } = await startSession(context, person, ORIGIN);
  const session = await findSession(context, secret);
  if (!session) throw new Error("a session that was just started is gone");
  return { ...session, secret };
}

async function audited(action: string): Promise<unknown[]> {
  const { rows } = await sql`select org.name, target_kind, details from identity.audit
    join identity.orgs org on org.id = org_id where action = ${action} order by org.name`.execute(context.db);
  return rows;
}

const count = async (table: string): Promise<number> =>
  (await sql`select 1 from ${sql.id("identity", table)}`.execute(context.db)).rows.length;

describe("a session", () => {
  it("is found by its secret, of which only a digest is kept", async () => {
    const { secret, sessionId } = await start();
    expect(await findSession(context, secret)).toEqual({
      sessionId,
      ...person,
      name: "Ada",
      isVouched: true,
      wasExtended: false,
    });
    const { rows } = await sql<{ dump: string; address: string; user_agent: string }>`
      select s::text as dump, address, user_agent from identity.sessions s`.execute(context.db);
    expect(rows[0]?.dump).not.toContain(secret);
    expect(rows[0]).toMatchObject({ address: "192.0.2.7", user_agent: ORIGIN.userAgent.slice(0, 300) });
  });

  it("is not found by anything else, nor after either secret of the service has changed", async () => {
    const { secret } = await start();
    for (const text of [randomBytes(32).toString("base64url"), "", "x", `${secret}=`])
      expect(await findSession(context, text)).toBeUndefined();
    const one = randomBytes(32).toString("hex");
    const changed = { ...context, keys: deriveTokenKeys(one, one) };
    expect(await findSession(changed, secret)).toBeUndefined();
  });

  it("is extended by use, at most once an hour", async () => {
    const { secret } = await start();
    const end = async (): Promise<number> => {
      const { rows } = await sql<{ expires_at: Date }>`select expires_at from identity.sessions`.execute(context.db);
      return rows[0]?.expires_at.getTime() ?? 0;
    };
    const move = (by: string) =>
      sql`update identity.sessions set last_used_at = last_used_at - ${by}::interval,
        expires_at = expires_at - ${by}::interval`.execute(context.db);
    await move("59 minutes");
    const before = await end();
    expect(await findSession(context, secret)).toMatchObject({ wasExtended: false });
    expect(await end()).toBe(before);
    await move("2 minutes");
    expect(await findSession(context, secret)).toMatchObject({ wasExtended: true });
    expect(await end()).toBeGreaterThan(Date.now() + 29.9 * 86_400_000);
    expect(await findSession(context, secret)).toMatchObject({ wasExtended: false });
  });

  it("is over after 30 days without use", async () => {
    const { secret } = await start();
    await sql`update identity.sessions set expires_at = now()`.execute(context.db);
    expect(await findSession(context, secret)).toBeUndefined();
  });

  it("is seen in every organization of its person", async () => {
    const session = await start();
    await endSession(context, session, ORIGIN);
    await endSessionsEverywhere(context, person, ORIGIN);
    const inBoth = (target_kind: string, details = {}): unknown[] =>
      ["One", "Two"].map((name) => ({ name, target_kind, details }));
    expect(await audited("session.started")).toEqual(inBoth("session"));
    expect(await audited("session.ended")).toEqual(inBoth("session"));
    expect(await audited("session.ended_everywhere")).toEqual(inBoth("user", { sessions: "0" }));
  });

  it("takes its user tokens with it at once, and no others", async () => {
    const [mine, other] = [await start(), await start()];
    const tokens = [await mintToken(context, mine), await mintToken(context, other)];
    await endSession(context, mine, ORIGIN);
    const valid = await Promise.all(tokens.map(async ({ token }) => (await validateToken(context, token)).valid));
    expect(valid).toEqual([false, true]);
    expect(fixture.published).toEqual([REVOCATION_CHANNEL]);
    await endSession(context, mine, ORIGIN);
    expect(await audited("session.ended")).toHaveLength(2);
  });

  it("ended everywhere is ended in every browser", async () => {
    const sessions = [await start(), await start(), await start()];
    const { token } = await mintToken(context, await start());
    await endSessionsEverywhere(context, person, ORIGIN);
    const found = await Promise.all(sessions.map(({ secret }) => findSession(context, secret)));
    expect(found).toEqual([undefined, undefined, undefined]);
    expect(await validateToken(context, token)).toMatchObject({ valid: false });
    expect(await findSessionOfToken(context, token)).toBeUndefined();
    expect(fixture.published).toEqual([REVOCATION_CHANNEL]);
  });
});

describe("a user token", () => {
  it("is for the organization joined last, or the one asked for by id or slug", async () => {
    const session = await start();
    expect(await mintToken(context, session)).toMatchObject({ org: { name: "Two" }, orgs: [{}, {}] });
    const byName = await mintToken(context, session, "one");
    expect(byName).toMatchObject({ org: { name: "One", role: "owner" } });
    expect(await mintToken(context, session, byName.org?.id)).toMatchObject({ org: { name: "One" } });
    expect(await validateToken(context, byName.token)).toMatchObject({
      valid: true,
      kind: "user",
      org: { slug: "one" },
    });
  });

  it("is not made for an organization one is not in", async () => {
    const session = await start();
    const other = await fixture.createTestOrg("Other");
    for (const org of [other.id, other.slug, "org_nonsense", "nowhere"])
      await expect(mintToken(context, session, org)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("leads back to its session while both live", async () => {
    const session = await start();
    const { token } = await mintToken(context, session);
    expect(await findSessionOfToken(context, token)).toMatchObject({ sessionId: session.sessionId, ...person });
    expect(await findSessionOfToken(context, "nonsense")).toBeUndefined();
  });
});

describe("an exchange code", () => {
  it("is good once; the second use ends the session", async () => {
    const session = await start();
    const code = await issueExchangeCode(context, session.sessionId, APP);
    const { rows } = await sql<{ dump: string }>`select c::text as dump from identity.exchange_codes c`.execute(
      context.db,
    );
    expect(rows[0]?.dump).not.toContain(code);
    expect(await exchangeCode(context, code, APP, NOWHERE)).toMatchObject({ sessionId: session.sessionId, ...person });
    await expect(exchangeCode(context, code, APP, NOWHERE)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    expect(await findSession(context, session.secret)).toBeUndefined();
    expect(fixture.published).toEqual([REVOCATION_CHANNEL]);
    await expect(exchangeCode(context, code, APP, NOWHERE)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });

  it("tried ten times at once is good once at most, and the session ends", async () => {
    const session = await start();
    const code = await issueExchangeCode(context, session.sessionId, APP);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => exchangeCode(context, code, APP, NOWHERE)),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await findSession(context, session.secret)).toBeUndefined();
  });

  it("may be used without saying from where, as servers do", async () => {
    const session = await start();
    const code = await issueExchangeCode(context, session.sessionId, APP);
    expect(await exchangeCode(context, code, undefined, NOWHERE)).toMatchObject(person);
  });

  it("is refused from another origin, and still good from its own", async () => {
    const session = await start();
    const code = await issueExchangeCode(context, session.sessionId, APP);
    await expect(exchangeCode(context, code, "https://evil.example", NOWHERE)).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    expect(await exchangeCode(context, code, APP, NOWHERE)).toMatchObject(person);
  });

  it("is over after a minute, without harm to the session", async () => {
    const session = await start();
    const code = await issueExchangeCode(context, session.sessionId, APP);
    await sql`update identity.exchange_codes set expires_at = now()`.execute(context.db);
    await expect(exchangeCode(context, code, APP, NOWHERE)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    expect(await findSession(context, session.secret)).toBeDefined();
  });

  it("goes with its session", async () => {
    const session = await start();
    const code = await issueExchangeCode(context, session.sessionId, APP);
    await endSession(context, session, NOWHERE);
    await expect(exchangeCode(context, code, APP, NOWHERE)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });
});

describe("housekeeping", () => {
  it("removes what is over and leaves the rest, in batches", async () => {
    const live = await start();
    await issueExchangeCode(context, live.sessionId, APP);
    await sql`insert into identity.sessions (id, user_id, digest, expires_at)
      select gen_random_uuid(), users.id, sha256(n::text::bytea), now() - interval '1 second'
      from identity.users, generate_series(1, 2500) n`.execute(context.db);
    await sql`insert into identity.exchange_codes (digest, session_id, origin, expires_at)
      select sha256(n::text::bytea), sessions.id, '', now() - interval '2 hours'
      from (select id from identity.sessions where expires_at > now()) sessions, generate_series(1, 1500) n`.execute(
      context.db,
    );
    await deleteExpired(context.db);
    expect([await count("sessions"), await count("exchange_codes")]).toEqual([1, 1]);
    expect(await findSession(context, live.secret)).toBeDefined();
  });
});
