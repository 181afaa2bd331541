import type { ReactNode } from "react";

export function NameCell({ name, description }: { name: string; description: string | null }): ReactNode {
  return (
    <span className="block min-w-0 py-1">
      <span className="block truncate font-mono max-sm:break-all max-sm:whitespace-normal">{name}</span>
      {description && <span className="block truncate text-xs font-normal text-muted">{description}</span>}
    </span>
  );
}
