import type { DistanceMetric, EmbeddingConfig } from "@svc/contract";
import type { ReactNode } from "react";
import { InlineCode } from "../../components/code-block.tsx";
import { DescriptionList } from "../../components/description-list.tsx";
import { formatCount } from "../../components/format-count.ts";
import { readContentColumns } from "./content-columns.ts";
import { Fold } from "./fold.tsx";

const METRIC: Record<DistanceMetric, { name: string; words: string }> = {
  cosine: { name: "Cosine", words: "compares the direction of vectors. The score is at most 1." },
  l2: { name: "Euclidean distance (l2)", words: "compares how far vectors are apart. The score is between 0 and 1." },
  inner_product: { name: "Inner product", words: "compares direction and length. The score has no upper end." },
};

/** One searchable table. */
export function EntryPanel({ entry, isOpen }: { entry: EmbeddingConfig; isOpen: boolean }): ReactNode {
  const { label, table, columns, model, dimensions, distance_metric } = entry;
  const metric = METRIC[distance_metric];
  return (
    <Fold
      isOpen={isOpen}
      title={
        <>
          <h3 className="min-w-0 font-medium wrap-anywhere">{label}</h3>
          <span className="min-w-16 truncate text-sm text-muted">in {table}</span>
        </>
      }
    >
      <DescriptionList
        items={[
          { term: "Table", description: <InlineCode>{table}</InlineCode> },
          { term: "Vectors", description: <Vectors {...{ column: columns[0] ?? "embedding", model, dimensions }} /> },
          {
            term: "Nearness",
            description: (
              <>
                {metric.name}: {metric.words} Higher is nearer.
              </>
            ),
          },
          { term: "An answer holds", description: <Returned columns={readContentColumns(entry.content_columns)} /> },
        ]}
      />
    </Fold>
  );
}

function Vectors({ column, model, dimensions }: { column: string; model: string; dimensions: number }): ReactNode {
  return (
    <>
      Column <InlineCode>{column}</InlineCode>, filled by the model <InlineCode>{model}</InlineCode> with{" "}
      {formatCount(dimensions)} dimensions. Questions are turned into vectors by the same model.
    </>
  );
}

function Returned({ columns: [id, title, ...others] }: { columns: string[] }): ReactNode {
  return (
    <ul className="flex flex-col gap-1">
      <li>
        <InlineCode>{id}</InlineCode> as the id of a hit
      </li>
      {title !== undefined && (
        <li>
          <InlineCode>{title}</InlineCode> as its title
        </li>
      )}
      {others.length > 0 && (
        <li className="flex flex-wrap items-baseline gap-1">
          {others.map((column) => (
            <InlineCode key={column}>{column}</InlineCode>
          ))}
          as metadata
        </li>
      )}
    </ul>
  );
}
