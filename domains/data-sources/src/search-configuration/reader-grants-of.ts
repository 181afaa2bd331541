import type { ReaderGrants } from "../queries/reader-grants.ts";
import type { EntryPlan, SearchPlan } from "../search-plan.ts";
import { parseTableName } from "./parse-names.ts";

/** What the searches of a plan read, and nothing else. */
export function readerGrantsOf(plan: SearchPlan | null): ReaderGrants {
  const entries = plan?.entries ?? [];
  const tables = Map.groupBy(entries, ({ schema, table }) => JSON.stringify([schema, table]));
  return {
    schemas: [...new Set(entries.flatMap(schemasOf))],
    tables: [...tables.values()].flatMap((same) => {
      const [first] = same;
      return first
        ? [{ schema: first.schema, table: first.table, columns: [...new Set(same.flatMap(columnsOf))] }]
        : [];
    }),
  };
}

function columnsOf({ contentColumns, vectorColumn, filterCasts }: EntryPlan): string[] {
  return [...contentColumns, vectorColumn, ...Object.keys(filterCasts)];
}

/** A type or an operator can be named only by who may enter its schema. Types are quoted as names of tables are. */
function schemasOf({ schema, extensionSchema, filterCasts }: EntryPlan): string[] {
  const ofTypes = Object.values(filterCasts).map((type) => {
    const parsed = parseTableName(type);
    return "schema" in parsed ? (parsed.schema ?? "pg_catalog") : "pg_catalog";
  });
  return [schema, extensionSchema, ...ofTypes].filter((name) => name !== "pg_catalog");
}
