import type { Hit } from "@svc/contract";
import { SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { Chip } from "../../components/chip.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Panel } from "../../components/page.tsx";

/** Hits for people to read, the nearest first. */
export function HitList({ hits }: { hits: Hit[] }): ReactNode {
  if (hits.length === 0) {
    return (
      <Panel padded={false}>
        <EmptyState icon={SearchX} title="No hit">
          No row passes the filters, or the table has no rows with vectors.
        </EmptyState>
      </Panel>
    );
  }
  return (
    <Panel padded={false}>
      <ol className="divide-y divide-line">
        {hits.map((hit, place) => (
          <HitRow key={`${place} ${hit.id}`} hit={hit} />
        ))}
      </ol>
    </Panel>
  );
}

function HitRow({ hit: { id, title, metadata } }: { hit: Hit }): ReactNode {
  const { _score: score, _target: target, ...columns } = metadata;
  return (
    <li className="flex flex-col gap-3 p-4">
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <h3 className="font-medium wrap-anywhere">{title ?? <span className="text-muted">No title</span>}</h3>
          <p className="mt-0.5 flex flex-wrap items-center gap-2 text-xs text-muted">
            <span className="font-mono break-all">{id}</span>
            {typeof target === "string" && <Chip>{target}</Chip>}
          </p>
        </div>
        <p className="tabular shrink-0 text-right text-sm">
          {typeof score === "number" ? score.toFixed(3) : ""}
          <span className="block text-2xs text-faint">score</span>
        </p>
      </div>
      {Object.keys(columns).length > 0 && (
        <dl className="grid gap-x-6 gap-y-1 text-sm sm:grid-cols-[minmax(4rem,12rem)_minmax(0,1fr)] sm:gap-y-1.5">
          {Object.entries(columns).map(([column, value]) => (
            <div key={column} className="contents">
              <dt className="min-w-0 text-muted wrap-anywhere">{column}</dt>
              <dd className="min-w-0">
                <Value value={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

function Value({ value }: { value: unknown }): ReactNode {
  if (value === null) return <span className="text-faint">null</span>;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return <span className="line-clamp-4 whitespace-pre-line wrap-anywhere">{text}</span>;
}
