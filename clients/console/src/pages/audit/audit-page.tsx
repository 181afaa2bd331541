import { getRouteApi } from "@tanstack/react-router";
import { ScrollText } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar } from "../../components/filter-bar.tsx";
import { Page } from "../../components/page.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { SegmentedControl } from "../../components/segmented-control.tsx";
import { usePermission } from "../../session/permission.ts";
import { listingOf } from "../../session/use-pages.tsx";
import { ACTIONS_OF, actionInWords, type Entry } from "./action-words.ts";
import { readAuditSearch, type Trail } from "./audit-search.ts";
import { EntryDrawer } from "./entry-drawer.tsx";
import { useTrail } from "./use-trail.ts";

const route = getRouteApi("/o/$org/audit");
const TRAILS = [
  { value: "access", label: "Access" },
  { value: "sources", label: "Data sources" },
] as const;
const ABOUT: Record<Trail, string> = {
  access: "Every change to members, tokens, agents and sessions.",
  sources: "Every change to databases and to what can be asked, and every look at a password.",
};

const COLUMNS: Column<Entry>[] = [
  { id: "at", header: "When", width: 130, cell: ({ at }) => <RelativeTime at={at} /> },
  {
    id: "actor",
    header: "Who",
    width: "28%",
    cell: ({ actor }) => <span className="block truncate font-medium">{actor.name}</span>,
  },
  {
    id: "action",
    header: "What",
    cell: (entry) => (
      <span className="block truncate">
        {actionInWords(entry)}{" "}
        {entry.target.name !== entry.actor.name && <span className="font-medium">{entry.target.name}</span>}
      </span>
    ),
  },
  {
    id: "address",
    header: "From",
    width: 140,
    hideBelow: "lg",
    cell: ({ address }) => <span className="block truncate font-mono text-xs">{address ?? "–"}</span>,
  },
];

/** Who changed what, when and from where. */
export function AuditPage(): ReactNode {
  const search = route.useSearch();
  const { trail = "access", action } = search;
  const navigate = route.useNavigate();
  const [opened, setOpened] = useState<Entry>();
  const permission = usePermission("admin", "Reading the audit trail");
  const entries = useTrail(search, permission.allowed);
  const show = (change: Record<string, string | undefined>): void =>
    void navigate({ search: readAuditSearch({ ...search, ...change }), replace: true });
  return (
    <Page title="Audit" description={`${ABOUT[trail]} Kept for 400 days.`}>
      <div className="flex flex-col gap-3">
        {permission.allowed && (
          <>
            <SegmentedControl
              label="Trail"
              value={trail}
              onChange={(next) => show({ trail: next, action: undefined })}
              tabs={TRAILS}
            />
            <FilterBar
              filters={[
                {
                  id: "action",
                  label: "Action",
                  kind: "combobox",
                  options: ACTIONS_OF[trail].map((value) => ({ value, label: value })),
                  anyLabel: "Any action",
                },
              ]}
              value={{ action }}
              onChange={show}
            />
          </>
        )}
        <DataTable
          label="Audit entries"
          columns={COLUMNS}
          {...listingOf(entries)}
          rowKey={({ id }) => id}
          onRowOpen={setOpened}
          loadingRows={10}
          forbidden={permission}
          empty={
            <EmptyState
              icon={ScrollText}
              title={action ? "Nothing of this kind has happened" : "Nothing has happened yet"}
            >
              {action ? "Clear the filter to see everything else." : "Changes show up here as they are made."}
            </EmptyState>
          }
        />
      </div>
      {opened && <EntryDrawer entry={opened} onClose={() => setOpened(undefined)} />}
    </Page>
  );
}
