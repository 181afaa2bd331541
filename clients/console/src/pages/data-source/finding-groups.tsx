import type { Finding } from "@svc/contract";
import { FINDING_LEVELS } from "@svc/contract/plain";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { formatCount } from "../../components/format-count.ts";
import { FindingLine } from "./finding-line.tsx";

const TITLES: Record<Finding["level"], string> = { error: "Problems", warning: "Warnings", ok: "In order" };

/** Findings, the worst first. */
export function FindingGroups({ findings }: { findings: Finding[] }): ReactNode {
  const groups = FINDING_LEVELS.map((level) => ({ level, all: findings.filter((finding) => finding.level === level) }));
  return groups
    .filter(({ all }) => all.length > 0)
    .map(({ level, all }) => <FindingGroup key={level} level={level} all={all} />);
}

/** A source of twenty tables has hundreds of findings, and the page more to show than these. */
const MOST_AT_FIRST = 6;

function FindingGroup({ level, all }: { level: Finding["level"]; all: Finding[] }): ReactNode {
  const title = TITLES[level];
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? all : all.slice(0, MOST_AT_FIRST);
  return (
    <section aria-label={title} className="border-line not-first:border-t">
      <h3 className="border-b border-line bg-sunken px-4 py-1.5 text-xs font-medium text-muted">
        {title} <span className="tabular text-faint">{formatCount(all.length)}</span>
      </h3>
      <ul className="divide-y divide-line">
        {shown.map((finding, place) => (
          <FindingLine key={`${finding.code} ${place}`} {...finding} />
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
