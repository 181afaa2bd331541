import {
  type CatalogColumn,
  type CatalogIndex,
  type CatalogRelation,
  findVectorExtension,
  listColumns,
  listIndexes,
  listRelations,
  listTableNames,
  type SourceSession,
  type TableName,
  type VectorExtension,
} from "../queries/catalog.ts";

export interface CatalogTable extends CatalogRelation {
  columns: Map<string, CatalogColumn>;
  indexes: CatalogIndex[];
}

/** What a configuration is compared with, as it is in the database right now. */
export interface Catalog {
  extension: VectorExtension | undefined;
  findTable(name: TableName): CatalogTable | undefined;
  /** What else there is, where some name was not found; else nothing was asked. */
  tableNames: TableName[];
}

/** More are of no use to someone who mistyped a name. */
const MOST_SUGGESTIONS = 2_000;

export async function readCatalog(session: SourceSession, reader: string, names: TableName[]): Promise<Catalog> {
  // PostgreSQL has no form for U+0000, so nothing can be called by it.
  const possible = names.filter(({ schema, name }) => !`${schema}${name}`.includes("\u0000"));
  const extension = await findVectorExtension(session, reader);
  const relations = await listRelations(session, reader, possible);
  const oids = relations.map(({ oid }) => oid);
  const columns = await listColumns(session, reader, oids);
  const indexes = await listIndexes(session, oids);
  const tables = new Map(
    relations.map((relation) => [
      keyOf(relation),
      {
        ...relation,
        columns: new Map(columns.filter(({ table }) => table === relation.oid).map((column) => [column.name, column])),
        indexes: indexes.filter(({ table }) => table === relation.oid),
      },
    ]),
  );
  const isMissing = (name: TableName): boolean => !tables.has(keyOf(name));
  const alike = possible.filter(isMissing).map(({ name }) => name);
  return {
    extension,
    findTable: (name) => tables.get(keyOf(name)),
    tableNames: names.some(isMissing) ? await listTableNames(session, alike, MOST_SUGGESTIONS) : [],
  };
}

function keyOf({ schema, name }: TableName): string {
  return JSON.stringify([schema, name]);
}
