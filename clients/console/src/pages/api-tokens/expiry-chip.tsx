import type { ReactNode } from "react";
import { Chip } from "../../components/chip.tsx";
import { RelativeTime, TimeOrNever } from "../../components/relative-time.tsx";

const SOON_MS = 7 * 24 * 60 * 60_000;

export function ExpiryChip({ at }: { at: string | null }): ReactNode {
  if (at === null) return <TimeOrNever at={at} />;
  const left = Date.parse(at) - Date.now();
  if (left <= 0) return <Chip tone="danger">Ended</Chip>;
  if (left > SOON_MS) return <RelativeTime at={at} />;
  return (
    <Chip tone="warn">
      <RelativeTime at={at} />
    </Chip>
  );
}
