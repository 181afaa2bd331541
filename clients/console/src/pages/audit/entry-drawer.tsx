import type { ReactNode } from "react";
import { InlineCode } from "../../components/code-block.tsx";
import { DescriptionList } from "../../components/description-list.tsx";
import { Drawer } from "../../components/drawer.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import type { Entry } from "./action-words.ts";

const ACTOR_KINDS: Record<Entry["actor"]["kind"], string> = {
  user: "Person",
  workload: "Workload",
  operator: "Operator of the service",
  support: "Support staff",
  system: "The service, by a rule",
};

/** One entry, whole. */
export function EntryDrawer({ entry, onClose }: { entry: Entry; onClose: () => void }): ReactNode {
  const { action, actor, target, details, address, user_agent, at } = entry;
  return (
    <Drawer open onOpenChange={(open) => !open && onClose()} title={action}>
      <DescriptionList
        items={[
          { term: "When", description: <RelativeTime at={at} /> },
          { term: "Who", description: actor.name },
          { term: "Kind", description: ACTOR_KINDS[actor.kind] },
          { term: "Changed", description: target.name },
          { term: "Its id", description: <InlineCode>{target.id}</InlineCode> },
          ...Object.entries(details).map(([term, description]) => ({ term, description })),
          { term: "Address", description: address ?? "Not known" },
          { term: "Browser or program", description: user_agent ?? "Not known" },
          { term: "Entry", description: <InlineCode>{entry.id}</InlineCode> },
        ]}
      />
    </Drawer>
  );
}
