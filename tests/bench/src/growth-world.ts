import { createHash } from "node:crypto";
import { secretContext } from "@svc/data-sources";
import type { AnyDb } from "@svc/platform/db";
import { openDatabase } from "@svc/platform/db";
import { uuidOf } from "@svc/platform/ids";
import { type Keyring, open, parseKeyring, seal } from "@svc/platform/secrets";
import { silentLogger } from "@svc/platform/testing";
import { sql } from "kysely";
import { type AskWorld, createNotesSource, openAskWorld } from "./ask-world.ts";

export interface GrowthWorld extends AskWorld {
  /** Tokens of organizations that each have the source db_notes. */
  tokens: string[];
}

/** An svc with so many organizations; some of them can really be asked, spread among the others. */
export async function openGrowthWorld(
  orgs: number,
  samples: number,
  report: (line: string) => void,
  gatewayEnv: Record<string, string> = {},
): Promise<GrowthWorld> {
  const world = await openAskWorld(gatewayEnv);
  const { platform, identity } = connect(world);
  const tokens = [world.token];
  try {
    await createNotesSource(world, "notes", 1_000);
    await allowSharedDatabase(platform);
    report(`filling ${orgs} organizations`);
    await fill(identity, platform, Math.floor((orgs - samples) / 2));
    while (tokens.length < samples) {
      const token = await world.stack.issueToken();
      await copySource(world, platform, await orgUuidOf(world, token), "notes");
      tokens.push(token);
    }
    await fill(identity, platform, Math.ceil((orgs - samples) / 2));
    for (const db of [identity, platform]) await sql`vacuum analyze`.execute(db);
  } catch (error) {
    await world.close();
    throw error;
  } finally {
    await Promise.all([platform.destroy(), identity.destroy()]);
  }
  return { ...world, tokens };
}

/** So many sources of one organization, each with credentials of its own as far as the gateway can tell. */
export async function addSources(world: AskWorld, names: string[]): Promise<void> {
  const { platform, identity } = connect(world);
  try {
    await allowSharedDatabase(platform);
    await liftConnectionLimits(world, platform);
    const org = await orgUuidOf(world, world.token);
    for (const name of names) await copySource(world, platform, org, name);
  } finally {
    await Promise.all([platform.destroy(), identity.destroy()]);
  }
}

function connect({ stack }: AskWorld): { platform: AnyDb; identity: AnyDb } {
  const opened = (url: string): AnyDb =>
    openDatabase<unknown>({ url, name: "bench", log: silentLogger(), statementTimeoutMs: 600_000 }).db as AnyDb;
  return { platform: opened(stack.databaseUrls.platform), identity: opened(stack.databaseUrls.identity) };
}

/** Thousands of real databases would measure the disk. Here all sources stand on one, which the schema forbids. */
async function allowSharedDatabase(platform: AnyDb): Promise<void> {
  await sql`alter table data_sources.databases drop constraint if exists databases_id_key`.execute(platform);
}

/** Each pool keeps a connection for a while, and here all of them are of one role in one database. */
async function liftConnectionLimits(world: AskWorld, platform: AnyDb): Promise<void> {
  const { database } = await world.call("GET", "/api/wf/databases/notes/connection");
  await sql`alter database ${sql.id(database)} connection limit -1`.execute(platform);
  await sql`alter role ${sql.id(`${database}_reader`)} connection limit -1`.execute(platform);
}

async function orgUuidOf(world: AskWorld, token: string): Promise<string> {
  return uuidOf((await world.call("GET", "/api/me", undefined, token)).org.id);
}

async function copySource(world: AskWorld, platform: AnyDb, orgId: string, name: string): Promise<void> {
  const { rows } = await sql<{ id: string; reader_secret: string }>`
    select id, reader_secret from data_sources.databases where name = 'notes' order by created_at limit 1`.execute(
    platform,
  );
  const [first] = rows;
  if (!first) throw new Error("there is no source to copy");
  // Sealed anew it is another text, and the gateway opens a pool for it alone.
  const context = secretContext(first.id, "reader");
  const keyring = keyringOf(world);
  const readerSecret = seal(keyring, open(keyring, first.reader_secret, context), context);
  await sql`
    insert into data_sources.databases (org_id, name, id, status, address, owner_secret, reader_secret)
    select ${orgId}, ${name}, id, status, address, owner_secret, ${readerSecret}
      from data_sources.databases where name = 'notes' order by created_at limit 1`.execute(platform);
  await sql`
    insert into data_sources.sources (org_id, database_name, id, enabled, exposed, min_role, connection_config, filter_schema, search_plan)
    select ${orgId}, ${name}, gen_random_uuid(), true, true, min_role, connection_config, filter_schema, search_plan
      from data_sources.sources where database_name = 'notes' and search_plan is not null order by created_at limit 1`.execute(
    platform,
  );
}

function keyringOf({ stack }: AskWorld): Keyring {
  return parseKeyring(`dev:${Buffer.from(stack.secrets.SECRETS_KEY, "hex").toString("base64")}`);
}

/** Organizations with three members, a token of each and a configured source, as rows that nobody asks. */
async function fill(identity: AnyDb, platform: AnyDb, orgs: number): Promise<void> {
  if (orgs <= 0) return;
  const salt = createHash("sha256").update(String(Math.random())).digest("hex");
  await identity.transaction().execute(async (tx) => {
    await sql`
      create temporary table fresh on commit drop as
      select md5(${salt} || n)::uuid as org_id, n from generate_series(1, ${sql.lit(orgs)}) n`.execute(tx);
    await sql`insert into identity.orgs (id, name, slug) select org_id, 'Org', org_id::text from fresh`.execute(tx);
    await sql`
      create temporary table people on commit drop as
      select org_id, gen_random_uuid() as user_id, m from fresh, generate_series(1, 3) m`.execute(tx);
    await sql`
      insert into identity.users (id, email, email_vouched)
      select user_id, user_id || '@bench.example', true from people`.execute(tx);
    await sql`
      insert into identity.memberships (org_id, user_id, id, role)
      select org_id, user_id, gen_random_uuid(), case m when 1 then 'owner' else 'developer' end from people`.execute(
      tx,
    );
    await sql`
      insert into identity.api_tokens (id, org_id, user_id, name, digest, prefix)
      select gen_random_uuid(), org_id, user_id, 'filler', sha256((org_id || user_id::text)::bytea), 'svc_filler' from people`.execute(
      tx,
    );
  });
  await platform.transaction().execute(async (tx) => {
    await sql`
      create temporary table fresh on commit drop as
      select md5(${salt} || n)::uuid as org_id from generate_series(1, ${sql.lit(orgs)}) n`.execute(tx);
    await sql`
      insert into data_sources.databases (org_id, name, id, status, address, owner_secret, reader_secret)
      select fresh.org_id, 'notes', gen_random_uuid(), 'ready', model.address, model.owner_secret, model.reader_secret
        from fresh, (select * from data_sources.databases where name = 'notes' order by created_at limit 1) model`.execute(
      tx,
    );
    await sql`
      insert into data_sources.sources (org_id, database_name, id, enabled, exposed, min_role, connection_config, filter_schema, search_plan)
      select fresh.org_id, 'notes', gen_random_uuid(), true, true, 'viewer', model.connection_config, model.filter_schema, model.search_plan
        from fresh, (select * from data_sources.sources where search_plan is not null order by created_at limit 1) model`.execute(
      tx,
    );
  });
}
