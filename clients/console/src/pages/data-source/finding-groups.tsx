import type { Finding } from "@svc/contract";
import { FINDING_LEVELS } from "@svc/contract/plain";
import { CircleAlert, CircleCheck, type LucideIcon, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Chip } from "../../components/chip.tsx";
import { formatCount } from "../../components/format-count.ts";

const LEVELS: Record<Finding["level"], { title: string; icon: LucideIcon; colour: string }> = {
  error: { title: "Problems", icon: CircleAlert, colour: "text-danger" },
  warning: { title: "Warnings", icon: TriangleAlert, colour: "text-warn" },
  ok: { title: "In order", icon: CircleCheck, colour: "text-ok" },
};

/** Findings, the worst first. Each says itself what to do. */
export function FindingGroups({ findings }: { findings: Finding[] }): ReactNode {
  const groups = FINDING_LEVELS.map((level) => ({ level, all: findings.filter((finding) => finding.level === level) }));
  return groups
    .filter(({ all }) => all.length > 0)
    .map(({ level, all }) => <FindingGroup key={level} level={level} all={all} />);
}

/** A source of twenty tables has hundreds of findings, and the page more to show than these. */
const MOST_AT_FIRST = 6;

function FindingGroup({ level, all }: { level: Finding["level"]; all: Finding[] }): ReactNode {
  const { title, icon: Icon, colour } = LEVELS[level];
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? all : all.slice(0, MOST_AT_FIRST);
  return (
    <section aria-label={title} className="border-line not-first:border-t">
      <h3 className="border-b border-line bg-sunken px-4 py-1.5 text-xs font-medium text-muted">
        {title} <span className="tabular text-faint">{formatCount(all.length)}</span>
      </h3>
      <ul className="divide-y divide-line">
        {shown.map(({ code, target, message }, place) => (
          <li key={`${code} ${place}`} className="flex gap-2.5 px-4 py-2.5 text-sm">
            <Icon aria-hidden size={14} className={`mt-0.75 shrink-0 ${colour}`} />
            <div className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
              <p className="min-w-0 flex-1 basis-60 text-pretty wrap-anywhere">{message}</p>
              {target !== null && <Chip>{target}</Chip>}
            </div>
          </li>
        ))}
      </ul>
      {all.length > MOST_AT_FIRST && (
        <div className="border-t border-line px-2 py-1.5">
          <Button variant="ghost" size="sm" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? `Show the first ${MOST_AT_FIRST}` : `Show all ${formatCount(all.length)}`}
          </Button>
        </div>
      )}
    </section>
  );
}
