import type { AuditAction, AuditEntry } from "@svc/contract";
import { getRouteApi } from "@tanstack/react-router";
import { ScrollText } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar } from "../../components/filter-bar.tsx";
import { Page } from "../../components/page.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { usePermission } from "../../session/permission.ts";
import { useOrg } from "../../session/use-org.ts";
import { listingOf, usePages } from "../../session/use-pages.tsx";
import { ACTION_WORDS, actionInWords } from "./action-words.ts";
import { EntryDrawer } from "./entry-drawer.tsx";

const route = getRouteApi("/o/$org/audit");
const ACTIONS = Object.keys(ACTION_WORDS).map((action) => ({ value: action, label: action }));

const COLUMNS: Column<AuditEntry>[] = [
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
  const { org, api } = useOrg();
  const { action } = route.useSearch();
  const navigate = route.useNavigate();
  const [opened, setOpened] = useState<AuditEntry>();
  const permission = usePermission("admin", "Reading the audit trail");
  const entries = usePages([org.slug, "audit", action], (cursor) => api.listAudit(org.slug, { cursor, action }), {
    enabled: permission.allowed,
  });
  return (
    <Page title="Audit" description="Every change to members, tokens, agents and sessions. Kept for 400 days.">
      <div className="flex flex-col gap-3">
        {permission.allowed && (
          <FilterBar
            filters={[{ id: "action", label: "Action", kind: "combobox", options: ACTIONS, anyLabel: "Any action" }]}
            value={{ action }}
            onChange={(value) =>
              void navigate({ search: { action: value["action"] as AuditAction | undefined }, replace: true })
            }
          />
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
