import type { SavedSearchConfiguration } from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import { servicesUnderTest } from "@svc/platform/testing";
import pg from "pg";
import type { DataSourcesContext } from "../../context.ts";
import type { EmbeddingModels } from "../../embedding/models.ts";
import { searchStatement } from "../../queries/search.ts";
import { findSourceRow, type SourceRow } from "../../queries/sources.ts";
import { createCustomerDatabase, type CustomerDatabase } from "../../testing/customer-database.ts";
import { createDataSourcesFixture, type TestOrg } from "../../testing/data-sources-fixture.ts";
import { vectorLiteral, wordVector } from "../../testing/word-model.ts";
import { saveSearchConfiguration } from "../save-search-configuration.ts";
import { authorIn } from "../../testing/author-in.ts";

export interface SourceUnderTest {
  context: DataSourcesContext;
  customer: CustomerDatabase;
  org: TestOrg;
  /** How often every process was told to look again. */
  changes(): number;
  save(body: unknown, options?: { dryRun: boolean }): Promise<SavedSearchConfiguration>;
  /** The error that saving this gives. */
  refusal(body: unknown): Promise<AppError>;
  row(): Promise<SourceRow>;
  /** What the first table of the saved plan has for "night", in the words of a real search and as the reader. */
  search(filters?: Record<string, string[]>): Promise<unknown[][]>;
  /** All that was granted to the reader by name, as `what: privilege`. */
  readerGrants(): Promise<string[]>;
  /** Statements as the administrator of the server, inside the customer's database. */
  asAdmin(statements: string): Promise<void>;
  close(): Promise<void>;
}

/** A source on a customer's database of its own, not configured yet. */
export async function createSourceUnderTest(models?: EmbeddingModels): Promise<SourceUnderTest> {
  const fixture = await createDataSourcesFixture(models && { models });
  const customer = await createCustomerDatabase();
  const org = fixture.createOrg();
  await fixture.addSource(org, "notes", customer);
  let changes = 0;
  const context = { ...fixture.context, sourceChanged: async () => void (changes += 1) };
  const save: SourceUnderTest["save"] = (body, options = { dryRun: false }) =>
    saveSearchConfiguration(context, authorIn(org.id), "db_notes", body, options);

  return {
    context,
    customer,
    org,
    changes: () => changes,
    save,
    refusal: async (body) => {
      const error = await save(body).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (error instanceof AppError) return error;
      throw error ?? new Error("it was not refused");
    },
    row: async () => {
      const row = await findSourceRow(context.db, org.id, "db_notes");
      if (!row) throw new Error("the source is gone");
      return row;
    },
    search: async (filters = {}) => {
      const row = await findSourceRow(context.db, org.id, "db_notes");
      const plan = row?.search_plan?.entries[0];
      if (!plan) throw new Error("nothing is configured");
      const text = searchStatement(plan, Object.keys(filters), plan.index ? "approximate" : "exact");
      const vector = vectorLiteral(wordVector("night", plan.dimensions));
      const values = [vector, 5, ...Object.values(filters)];
      return (await customer.reader.query({ text, values, rowMode: "array" })).rows as unknown[][];
    },
    readerGrants: () => listReaderGrants(customer),
    asAdmin: async (statements) => {
      const url = new URL(servicesUnderTest().postgresAdminUrl);
      url.pathname = `/${customer.names.database}`;
      const admin = new pg.Client({ connectionString: url.href });
      await admin.connect();
      try {
        await admin.query(statements);
      } finally {
        await admin.end();
      }
    },
    close: async () => {
      await fixture.close();
      await customer.drop();
    },
  };
}

async function listReaderGrants({ owner, names }: CustomerDatabase): Promise<string[]> {
  const { rows } = await owner.query<{ held: string }>(
    `with reader as (select oid from pg_roles where rolname = $1)
     select format('%s: %s', c.oid::regclass, g.privilege_type) as held
       from pg_class c, aclexplode(c.relacl) g, reader where g.grantee = reader.oid
     union all
     select format('%s.%I: %s', a.attrelid::regclass, a.attname, g.privilege_type)
       from pg_attribute a, aclexplode(a.attacl) g, reader where g.grantee = reader.oid and not a.attisdropped
     union all
     select format('%I: %s', n.nspname, g.privilege_type)
       from pg_namespace n, aclexplode(n.nspacl) g, reader where g.grantee = reader.oid
     order by 1`,
    [names.readerRole],
  );
  return rows.map(({ held }) => held);
}
