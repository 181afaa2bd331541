const entry = (change: object = {}): object => ({
  label: "notes",
  table: "notes",
  model: "words",
  dimensions: 64,
  content_columns: "id, title",
  ...change,
});
export const configuration = (change: object = {}, filters: object = {}): object => ({
  connection_config: { embedding_configs: [entry(change)] },
  filter_schema: filters,
});
const two = (change: object): object => ({ connection_config: { embedding_configs: [entry(), entry(change)] } });

const at = (field: string, place = 0): string => `connection_config.embedding_configs.${place}.${field}`;
const COLUMNS = "id, title, body, lang, year, tags, meta, _score, embedding, half, and 5 more";

/** What is sent, and every problem of it: where, and in which words. */
export const REFUSED: [string, unknown, [path: string, message: string][]][] = [
  ["no body", undefined, [["", "Invalid input: expected object, received undefined"]]],
  ["a list for a body", [], [["", "Invalid input: expected object, received array"]]],
  ["an unknown field", { ...configuration(), exposed: true }, [["", "unknown field: exposed"]]],
  [
    "no configuration in it",
    { filter_schema: { lang: "string" } },
    [["connection_config", "Invalid input: expected object, received undefined"]],
  ],
  [
    "an unknown table that is nearly a known one",
    configuration({ table: "notse" }),
    [[at("table"), 'table "notse" is not in schema public; did you mean "notes"?']],
  ],
  [
    "a table in another case",
    configuration({ table: "NOTES" }),
    [[at("table"), 'table "NOTES" is not in schema public; did you mean "notes"?']],
  ],
  [
    "an unknown table that is like none",
    configuration({ table: "customers" }),
    [[at("table"), 'table "customers" is not in schema public; it has: loose_notes, notes, strangers']],
  ],
  [
    "a table that is in another schema",
    configuration({ table: "orders" }),
    [[at("table"), "no table orders in schema public; there is one in schema app: write app.orders"]],
  ],
  [
    "a table that is in two other schemas, of which one needs quotes",
    configuration({ table: "tickets" }),
    [[at("table"), 'no table tickets in schema public; there are in "App.1", app: write "App.1".tickets']],
  ],
  [
    "a schema that is not there",
    configuration({ table: "nowhere.things" }),
    [[at("table"), 'table "things" is not in schema nowhere; it has no tables: create one']],
  ],
  [
    "a name of three parts",
    configuration({ table: "notes.public.notes" }),
    [[at("table"), '"notes.public.notes" has 3 parts: write name or schema.name, with "quotes" around a dot']],
  ],
  [
    "a stray quote in a table's name",
    configuration({ table: 'no"tes' }),
    [
      [
        at("table"),
        '"no\\"tes" has a double quote out of place: write a name with a quote in it as "a ""quoted"" name"',
      ],
    ],
  ],
  [
    "SQL for a table's name",
    configuration({ table: "notes; drop table notes" }),
    [[at("table"), 'table "notes; drop table notes" is not in schema public; it has: loose_notes, notes, strangers']],
  ],
  [
    "a character that no name can have",
    configuration({ table: "no\u0000tes", content_columns: "id,ti\u0000tle", columns: ["em\u0000"] }),
    [[at("table"), 'table "no\\u0000tes" is not in schema public; did you mean "notes"?']],
  ],
  [
    "a longer name than PostgreSQL keeps, the beginning of which exists",
    configuration({ content_columns: `id, ${"long_".repeat(12)}abc_and_more` }),
    [
      [
        at("content_columns"),
        `column "${"long_".repeat(12)}abc_and_more" is not in table notes; did you mean "${"long_".repeat(12)}abc"?`,
      ],
    ],
  ],
  [
    "a table of PostgreSQL itself",
    configuration({ table: "pg_catalog.pg_authid" }),
    [[at("table"), "schema pg_catalog belongs to PostgreSQL itself: name a table of your own"]],
  ],
  [
    "a table of the information schema",
    configuration({ table: "information_schema.tables" }),
    [[at("table"), "schema information_schema belongs to PostgreSQL itself: name a table of your own"]],
  ],
  ...(
    [
      ["notes_view", "a view"],
      ["notes_kept", "a materialized view"],
      ["notes_far", "a foreign table"],
      ["counter", "a sequence"],
      ["notes_by_title", "an index"],
      ["pair", "a type"],
    ] as const
  ).map(([table, kind]): (typeof REFUSED)[number] => [
    `${kind} for a table`,
    configuration({ table }),
    [
      [
        at("table"),
        `${table} is ${kind}: only tables can be searched, since access is granted by column and found by index`,
      ],
    ],
  ]),
  [
    "a table of another role",
    configuration({ table: "strangers" }),
    [
      [
        at("table"),
        "table strangers belongs to the role postgres, so access to it cannot be granted: make it the database owner's",
      ],
    ],
  ],
  [
    "a table in a schema of another role",
    configuration({ table: "vault.notes" }),
    [
      [
        at("table"),
        "schema vault is not the database owner's, so access to it cannot be granted: move the table, or make the schema the owner's",
      ],
    ],
  ],
  [
    "a vector column that is nearly there",
    configuration({ columns: ["embeding"] }),
    [[at("columns.0"), 'column "embeding" is not in table notes; did you mean "embedding"?']],
  ],
  [
    "two vector columns",
    configuration({ columns: ["embedding", "wide"] }),
    [[at("columns"), "Too big: expected array to have exactly 1 items"]],
  ],
  [
    "a text for a vector",
    configuration({ columns: ["title"], content_columns: "id" }),
    [[at("columns.0"), "column title is text; only vector columns can be searched: name a column of type vector(N)"]],
  ],
  [
    "a halfvec for a vector",
    configuration({ columns: ["half"] }),
    [
      [
        at("columns.0"),
        "column half is halfvec(64); only vector columns can be searched: store vector(N), and index it as halfvec for a smaller index",
      ],
    ],
  ],
  ...(
    [
      ["sparse", "sparsevec(64)"],
      ["bits", "bit(64)"],
      ["reals", "real[]"],
    ] as const
  ).map(([column, type]): (typeof REFUSED)[number] => [
    `${type} for a vector`,
    configuration({ columns: [column] }),
    [
      [
        at("columns.0"),
        `column ${column} is ${type}; only vector columns can be searched: name a column of type vector(N)`,
      ],
    ],
  ]),
  [
    "a vector without declared dimensions",
    configuration({ table: "loose_notes" }),
    [
      [
        at("columns.0"),
        "column embedding is vector without declared dimensions. Run: alter table public.loose_notes alter column embedding type public.vector(64)",
      ],
    ],
  ],
  [
    "other dimensions than the column's",
    configuration({ columns: ["wide"] }),
    [[at("dimensions"), "column wide is vector(128), the configuration says 64 dimensions"]],
  ],
  [
    "other dimensions than the column's and the model's",
    configuration({ dimensions: 512 }),
    [
      [at("dimensions"), "column embedding is vector(64), the configuration says 512 dimensions"],
      [at("model"), "model words makes vectors of 64 dimensions, the configuration says 512"],
    ],
  ],
  [
    "a model that nobody set up",
    configuration({ model: "words-3" }),
    [
      [
        at("model"),
        'model "words-3" is not set up; models here are: words (64 dimensions), wide-words (128 dimensions)',
      ],
    ],
  ],
  ["zero dimensions", configuration({ dimensions: 0 }), [[at("dimensions"), "Too small: expected number to be >=1"]]],
  [
    "an unknown metric",
    configuration({ distance_metric: "manhattan" }),
    [[at("distance_metric"), 'Invalid option: expected one of "cosine"|"l2"|"inner_product"']],
  ],
  [
    "content columns that are not there",
    configuration({ content_columns: "id, titel, nothing" }),
    [
      [at("content_columns"), 'column "titel" is not in table notes; did you mean "title"?'],
      [at("content_columns"), `column "nothing" is not in table notes; it has: ${COLUMNS}`],
    ],
  ],
  [
    "a content column twice",
    configuration({ content_columns: "id, title, id, id" }),
    [[at("content_columns"), 'column "id" is named more than once: name it once']],
  ],
  [
    "an empty name among content columns",
    configuration({ content_columns: "id,,title" }),
    [[at("content_columns"), 'has an empty name: put one name between each two ","']],
  ],
  [
    "a system column",
    configuration({ content_columns: "ctid, title" }),
    [[at("content_columns"), "ctid is a system column of PostgreSQL: name columns of your own"]],
  ],
  [
    "columns called like fields of a hit",
    configuration({ content_columns: "id, _score, _target" }),
    [
      [at("content_columns"), "_score is a field of every hit: give the column another name"],
      [at("content_columns"), "_target is a field of every hit: give the column another name"],
    ],
  ],
  [
    "the vector among the content",
    configuration({ content_columns: "id, embedding" }),
    [[at("content_columns"), "column embedding is the vector: it would fill the answer with numbers, so leave it out"]],
  ],
  [
    "more content columns than an answer holds",
    configuration({ content_columns: Array.from({ length: 51 }, (_, n) => `c${n}`).join(",") }),
    [[at("content_columns"), "names 51 columns: an answer holds at most 50, name those that agents need"]],
  ],
  [
    "a label for two entries",
    two({ content_columns: "id" }),
    [[at("label", 1), 'label "notes" is also that of entry 0: give each its own']],
  ],
  [
    "a label of half a character",
    configuration({ label: "notes \ud83d" }),
    [[at("label"), "has half a character, which cannot be stored: write it again"]],
  ],
  [
    "a label with a line break",
    configuration({ label: "a\nb" }),
    [[at("label"), "must be one line without control characters"]],
  ],
  [
    "a filter on no column",
    configuration({}, { langs: "string" }),
    [["filter_schema.langs", 'column "langs" is in none of the configured tables; did you mean "lang"?']],
  ],
  [
    "filters without a table",
    { connection_config: { embedding_configs: [] }, filter_schema: { lang: "string" } },
    [["filter_schema.lang", 'column "lang" is in none of the configured tables; configure one that has it']],
  ],
  [
    "filters of the wrong type",
    configuration({}, { year: "string", lang: "number", title: "boolean" }),
    [
      ["filter_schema.year", "column year of table notes is integer, which fits the filter type number, not string"],
      [
        "filter_schema.lang",
        "column lang of table notes is character varying(5), which fits the filter type string, not number",
      ],
      ["filter_schema.title", "column title of table notes is text, which fits the filter type string, not boolean"],
    ],
  ],
  [
    "filters on types that no value fits",
    configuration({}, { tags: "string", meta: "string", embedding: "number" }),
    [
      ["tags", "text[]"],
      ["meta", "jsonb"],
      ["embedding", "vector(64)"],
    ].map(([column, type]) => [
      `filter_schema.${column}`,
      `column ${column} of table notes is ${type}, which cannot be filtered on: only texts, numbers, booleans, dates, uuids and enums can`,
    ]),
  ],
  [
    "an unknown filter type",
    configuration({}, { lang: "text" }),
    [["filter_schema.lang", 'Invalid option: expected one of "string"|"number"|"boolean"']],
  ],
  [
    "a column whose type differs between two tables",
    {
      connection_config: { embedding_configs: [entry(), entry({ label: "orders", table: "app.orders" })] },
      filter_schema: { lang: "string" },
    },
    [
      [
        "filter_schema.lang",
        "column lang of table app.orders is bigint, which fits the filter type number, not string",
      ],
    ],
  ],
  [
    "malformed and mistaken parts in one",
    {
      connection_config: {
        embedding_configs: [
          { ...entry({ table: "notse", dimensions: "64" }), note: "x" },
          "notes",
          entry({ label: "second", content_columns: "id, titel", model: "other" }),
        ],
      },
      filter_schema: { langs: "string", year: "string", draft: "yes" },
    },
    [
      [at("dimensions"), "Invalid input: expected number, received string"],
      ["connection_config.embedding_configs.0", "unknown field: note"],
      ["connection_config.embedding_configs.1", "Invalid input: expected object, received string"],
      ["filter_schema.draft", 'Invalid option: expected one of "string"|"number"|"boolean"'],
      [at("table"), 'table "notse" is not in schema public; did you mean "notes"?'],
      [
        at("model", 2),
        'model "other" is not set up; models here are: words (64 dimensions), wide-words (128 dimensions)',
      ],
      [at("content_columns", 2), 'column "titel" is not in table notes; did you mean "title"?'],
      ["filter_schema.year", "column year of table notes is integer, which fits the filter type number, not string"],
    ],
  ],
];
