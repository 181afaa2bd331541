import type { CustomerDatabase } from "./customer-database.ts";
import type { DataSourcesFixture, TestOrg } from "./data-sources-fixture.ts";
import { vectorLiteral, wordVector } from "./word-model.ts";

const NOTES = [
  {
    id: 1,
    title: "Paying back expenses",
    body: "travel expenses are paid back within ten days",
    lang: "en",
    year: 2024,
    draft: false,
  },
  { id: 2, title: "Holidays", body: "everyone has thirty days of holidays", lang: "en", year: 2025, draft: false },
  { id: 3, title: "Urlaub", body: "alle haben dreissig tage urlaub", lang: "de", year: 2025, draft: false },
  { id: 4, title: "Night shifts", body: "who works at night gets a day off", lang: "en", year: 2025, draft: true },
  {
    id: 5,
    title: "Backups",
    body: "backups are made every night and kept for ten days",
    lang: "en",
    year: 2023,
    draft: false,
  },
] as const;

/** Text of a column that no configuration shows. */
export const SECRET_TEXT = "only-the-payroll-may-read-this";

export const NOTES_CONFIGURATION = {
  connection_config: {
    embedding_configs: [
      {
        label: "notes",
        table: "notes",
        model: "words",
        dimensions: 64,
        content_columns: "id, title, body, lang, year",
      },
    ],
  },
  filter_schema: { lang: "string", year: "number", draft: "boolean" },
} as const;

/** A table with a column that is nobody's business beside those that may be shown. */
export async function createNotes({ owner }: CustomerDatabase, table = "notes"): Promise<void> {
  await owner.query(`
    create table ${table} (
      id integer primary key, title text, body text, lang text, year integer, draft boolean,
      secret text default '${SECRET_TEXT}', embedding vector(64)
    )`);
  for (const { id, title, body, lang, year, draft } of NOTES) {
    await owner.query(
      `insert into ${table} (id, title, body, lang, year, draft, embedding) values ($1, $2, $3, $4, $5, $6, $7)`,
      [id, title, body, lang, year, draft, vectorLiteral(wordVector(`${title} ${body}`, 64))],
    );
  }
}

interface NotesOptions {
  name?: string;
  configuration?: object;
  minRole?: string;
}

/** Configured and exposed to viewers. */
export async function exposeNotes(
  fixture: DataSourcesFixture,
  org: TestOrg,
  customer: CustomerDatabase,
  { name = "notes", configuration = NOTES_CONFIGURATION, minRole = "viewer" }: NotesOptions = {},
): Promise<string> {
  await fixture.addSource(org, name, customer);
  const url = `/api/wf/data-sources/db_${name}`;
  const saved = await fixture.call("PUT", url, org.tokens.developer, configuration);
  if (saved.status !== 200) throw new Error(`the configuration was refused: ${saved.text}`);
  await fixture.call("PUT", `${url}/exposure`, org.tokens.admin, { exposed: true, min_role: minRole });
  return `db_${name}`;
}
