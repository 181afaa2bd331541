import type { ReactNode } from "react";
import { Chip } from "../../components/chip.tsx";
import { DescriptionList } from "../../components/description-list.tsx";
import { ForbiddenState } from "../../components/forbidden-state.tsx";
import { Panel, Section } from "../../components/page.tsx";
import { usePermission } from "../../session/permission.ts";
import { FilterColumns } from "./filter-columns.tsx";
import { whoMayAsk } from "./role-words.ts";
import type { SourceView } from "./source-view.ts";

/** For those who may ask it and no more. */
export function AskableOverview({ view }: { view: SourceView }): ReactNode {
  const seeing = usePermission("developer", "Seeing the configuration and the health of a source");
  return (
    <div className="flex flex-col gap-8">
      <Section title="What you can ask">
        <Panel>
          <DescriptionList
            items={[
              { term: "Can be asked by", description: whoMayAsk(view.minRole) },
              { term: "Searches in", description: <Targets targets={view.targets} /> },
              { term: "Can be filtered by", description: <FilterColumns filters={view.filters} /> },
            ]}
          />
        </Panel>
      </Section>
      <Section title="Configuration, health and exposure">
        <Panel padded={false}>
          <ForbiddenState permission={seeing} />
        </Panel>
      </Section>
    </div>
  );
}

function Targets({ targets }: { targets: string[] }): ReactNode {
  if (targets.length === 0) return "Nothing yet: a developer has to configure its search first.";
  return (
    <span className="flex flex-wrap gap-1">
      {targets.map((target) => (
        <Chip key={target}>{target}</Chip>
      ))}
    </span>
  );
}
