import type { ReactNode } from "react";

export interface DescriptionListProps {
  items: { term: string; description: ReactNode }[];
}

export function DescriptionList({ items }: DescriptionListProps): ReactNode {
  return (
    <dl className="divide-y divide-line text-sm">
      {items.map(({ term, description }) => (
        <div
          key={term}
          className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-0.5 py-2.5 first:pt-0 last:pb-0 sm:grid-cols-[minmax(8rem,12rem)_minmax(0,1fr)]"
        >
          <dt className="min-w-0 text-muted wrap-anywhere">{term}</dt>
          <dd className="min-w-0 break-words">{description ?? <span className="text-faint">None</span>}</dd>
        </div>
      ))}
    </dl>
  );
}
