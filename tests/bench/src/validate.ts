import { randomBytes } from "node:crypto";
import type { Id } from "@svc/contract";
import {
  BY_RULE,
  createApiToken,
  createOrgAsOperator,
  deriveTokenKeys,
  type IdentityContext,
  identityMigrations,
  type IdentityTables,
  readUserToken,
  signUserToken,
  validateToken,
} from "@svc/identity";
import type { Db } from "@svc/platform/db";
import { newId, uuidOf } from "@svc/platform/ids";
import { createMigratedDatabase, type TestDatabase } from "@svc/platform/testing";
import { sql } from "kysely";
import { type Bench, compareCost } from "./harness.ts";

const NOWHERE = { address: null, userAgent: null };
const SAMPLES = 200;
const PER_ROUND = 2_000;
const ROUNDS = 5;
const TOKENS_PER_ORG = 10;
const SMALL_ORGS = 100;
const LARGE_ORGS = 100_000;

interface World {
  database: TestDatabase;
  context: IdentityContext;
  /** Tokens spread over the whole, so that no page of an index is read all the time. */
  apiTokens: string[];
  userTokens: string[];
  userIds: string[];
}

export const validateBench: Bench = {
  summary: `CPU of one validation against a signature check and one primary-key read; growth to ${LARGE_ORGS} organizations`,
  run: async (report) => {
    const small = await createWorld(SMALL_ORGS, report);
    const large = await createWorld(LARGE_ORGS, report);
    try {
      const cpu = { unit: "µs CPU", atMost: 2.5, rounds: ROUNDS, floor: () => cpuOf(floorOf(small)) };
      const growth = { unit: "µs", atMost: 1.3, rounds: ROUNDS };
      return [
        await compareCost({ ...cpu, case: "user token", ours: () => cpuOf(validateUserTokens(small)) }, report),
        await compareCost({ ...cpu, case: "API token", ours: () => cpuOf(validateApiTokens(small)) }, report),
        await compareCost(
          {
            ...growth,
            case: "user token, 1,000 times the organizations",
            ours: () => timeOf(validateUserTokens(large)),
            floor: () => timeOf(validateUserTokens(small)),
          },
          report,
        ),
        await compareCost(
          {
            ...growth,
            case: "API token, 1,000 times the organizations",
            ours: () => timeOf(validateApiTokens(large)),
            floor: () => timeOf(validateApiTokens(small)),
          },
          report,
        ),
      ];
    } finally {
      await small.database.drop();
      await large.database.drop();
    }
  },
};

type Work = (n: number) => Promise<unknown>;

function validateUserTokens({ context, userTokens }: World): Work {
  return async (n) => expectValid(await validateToken(context, userTokens[n % SAMPLES] ?? ""));
}

function validateApiTokens({ context, apiTokens }: World): Work {
  return async (n) => expectValid(await validateToken(context, apiTokens[n % SAMPLES] ?? ""));
}

/** What nobody can do without: look at the signature, read one row by its key. */
function floorOf({ context, userTokens, userIds }: World): Work {
  return async (n) => {
    const claims = await readUserToken(context.keys, userTokens[n % SAMPLES] ?? "");
    const row = await context.db
      .selectFrom("identity.users")
      .select(["id", "email"])
      .where("id", "=", userIds[n % SAMPLES] ?? "")
      .executeTakeFirst();
    if (!claims || !row) throw new Error("the floor does not hold");
  };
}

function expectValid({ valid }: { valid: boolean }): void {
  if (!valid) throw new Error("a good token was refused");
}

/** Microseconds of this process's CPU for one. */
async function cpuOf(work: Work): Promise<number> {
  const before = process.cpuUsage();
  for (let n = 0; n < PER_ROUND; n += 1) await work(n);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / PER_ROUND;
}

/** Microseconds until the answer, the database's share included. */
async function timeOf(work: Work): Promise<number> {
  const startedAt = performance.now();
  for (let n = 0; n < PER_ROUND; n += 1) await work(n);
  return ((performance.now() - startedAt) * 1_000) / PER_ROUND;
}

async function createWorld(orgs: number, report: (line: string) => void): Promise<World> {
  const database = await createMigratedDatabase([identityMigrations]);
  const secret = (): string => randomBytes(32).toString("hex");
  const context: IdentityContext = {
    db: database.db as Db<IdentityTables>,
    keys: deriveTokenKeys(secret(), secret()),
    cache: { publish: async () => undefined },
  };
  report(`filling ${orgs} organizations with ${orgs * TOKENS_PER_ORG} API tokens`);
  await fill(context, orgs / 2);
  const world: World = { database, context, apiTokens: [], userTokens: [], userIds: [] };
  for (let n = 0; n < SAMPLES; n += 1) await addSample(world, n);
  await fill(context, orgs / 2);
  // "Last used" is written once a minute, not with each use; here nobody's minute is over.
  await sql`update identity.api_tokens set last_used_at = now() where name = 'sample'`.execute(context.db);
  await sql`vacuum analyze`.execute(context.db);
  return world;
}

async function addSample({ context, apiTokens, userTokens, userIds }: World, n: number): Promise<void> {
  const { org, owner } = await createOrgAsOperator(
    context,
    { name: `Sample ${n}`, admin_email: `sample-${n}@bench.example` },
    NOWHERE,
  );
  const userId = owner?.user_id as Id<"usr">;
  const { token } = await createApiToken(context, { orgId: org.id, userId, name: "sample" }, BY_RULE, NOWHERE);
  const sessionId = newId("ses");
  await context.db
    .insertInto("identity.sessions")
    .values({
      id: uuidOf(sessionId),
      user_id: uuidOf(userId),
      digest: randomBytes(32),
      expires_at: new Date(Date.now() + 3_600_000),
    })
    .execute();
  apiTokens.push(token);
  userTokens.push((await signUserToken(context.keys, { userId, sessionId, orgId: org.id })).token);
  userIds.push(uuidOf(userId));
}

/** One person and ten tokens for each organization, as rows. */
async function fill({ db }: IdentityContext, orgs: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`
      create temporary table fresh on commit drop as
      select gen_random_uuid() as org_id, gen_random_uuid() as user_id, gen_random_uuid() as id, n
        from generate_series(1, ${sql.lit(orgs)}) n`.execute(tx);
    await sql`insert into identity.orgs (id, name, slug) select org_id, 'Org', org_id::text from fresh`.execute(tx);
    await sql`insert into identity.users (id, email, email_vouched) select user_id, user_id || '@bench.example', true from fresh`.execute(
      tx,
    );
    await sql`insert into identity.memberships (org_id, user_id, id, role) select org_id, user_id, id, 'owner' from fresh`.execute(
      tx,
    );
    await sql`
      insert into identity.sessions (id, user_id, digest, expires_at)
      select gen_random_uuid(), user_id, sha256(('session' || user_id)::bytea), now() + interval '30 days' from fresh`.execute(
      tx,
    );
    for (let batch = 0; batch < TOKENS_PER_ORG; batch += 1) {
      await sql`
        insert into identity.api_tokens (id, org_id, user_id, name, digest, prefix)
        select gen_random_uuid(), org_id, user_id, 'filler', sha256((org_id || ${String(batch)})::bytea), 'svc_filler' from fresh`.execute(
        tx,
      );
    }
  });
}
