import type { EmbeddingConfig } from "@svc/contract";
import type { EmbeddingModels } from "../embedding/models.ts";
import type { CatalogColumn } from "../queries/catalog.ts";
import { checkContentColumns } from "./check-content-columns.ts";
import { checkTable } from "./check-table.ts";
import { checkVectorColumn } from "./check-vector-column.ts";
import { quoteForMessage } from "./parse-names.ts";
import type { Catalog, CatalogTable } from "./read-catalog.ts";
import { entryProblem, type Remark } from "./remark.ts";

/** One entry, with what of it is in the catalog. */
export interface CheckedEntry {
  entry: number;
  draft: Partial<EmbeddingConfig>;
  table: CatalogTable | undefined;
  vectorColumn: CatalogColumn | undefined;
  contentColumns: CatalogColumn[];
  problems: Remark[];
}

export function checkEntry(
  draft: Partial<EmbeddingConfig>,
  entry: number,
  { catalog, models, earlier }: { catalog: Catalog; models: EmbeddingModels; earlier: Partial<EmbeddingConfig>[] },
): CheckedEntry {
  const problems: Remark[] = [];
  const add = (field: string, message: string): void => void problems.push(entryProblem(entry, field, message));

  const labelProblem = checkLabel(draft.label, earlier);
  if (labelProblem !== undefined) add("label", labelProblem);

  const found = draft.table === undefined ? undefined : checkTable(draft.table, catalog);
  if (found && "problem" in found) add("table", found.problem);
  const table = found && "table" in found ? found.table : undefined;

  const vector = table && checkVectorColumn(draft, table, catalog.extension);
  if (vector?.problem) add(vector.problem.field, vector.problem.message);

  const modelProblem = checkModel(draft, models);
  if (modelProblem !== undefined) add("model", modelProblem);

  const content =
    draft.content_columns === undefined
      ? { columns: [], problems: [] }
      : checkContentColumns(draft.content_columns, table, draft.columns?.[0]);
  for (const problem of content.problems) add("content_columns", problem);

  return { entry, draft, table, vectorColumn: vector?.column, contentColumns: content.columns, problems };
}

/** A hit names its entry by the label, and a question its target. */
function checkLabel(label: string | undefined, earlier: Partial<EmbeddingConfig>[]): string | undefined {
  if (label === undefined) return undefined;
  if (!label.isWellFormed()) return "has half a character, which cannot be stored: write it again";
  const same = earlier.findIndex((entry) => entry.label === label);
  if (same === -1) return undefined;
  return `label ${quoteForMessage(label)} is also that of entry ${same}: give each its own`;
}

function checkModel({ model, dimensions }: Partial<EmbeddingConfig>, models: EmbeddingModels): string | undefined {
  if (model === undefined) return undefined;
  const embedder = models.find(model);
  if (!embedder) {
    const known = models.names().map((name) => `${name} (${models.find(name)?.dimensions} dimensions)`);
    const which = known.length > 0 ? `models here are: ${known.join(", ")}` : "none is: ask the operator to set one up";
    return `model ${quoteForMessage(model)} is not set up; ${which}`;
  }
  if (dimensions === undefined || embedder.dimensions === dimensions) return undefined;
  return `model ${model} makes vectors of ${embedder.dimensions} dimensions, the configuration says ${dimensions}`;
}
