import type { Grant } from "@svc/contract";
import { Bot } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Chip } from "../../components/chip.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Page } from "../../components/page.tsx";
import { RelativeTime, TimeOrNever } from "../../components/relative-time.tsx";
import { type ListScope, ScopeSwitch } from "../../session/scope-switch.tsx";
import { useOrg } from "../../session/use-org.ts";
import { listingOf, usePages } from "../../session/use-pages.tsx";
import { ConnectAgent } from "./connect-agent.tsx";
import { DisconnectDialog } from "./disconnect-dialog.tsx";
import { scopeInWords } from "./scope-words.ts";

/** Which agents act for people here, and the end of it. */
export function AgentsPage(): ReactNode {
  const { org, api } = useOrg();
  const [scope, setScope] = useState<ListScope>("mine");
  const [leaving, setLeaving] = useState<Grant>();
  const grants = usePages([org.slug, "grants", scope], (cursor) => api.listGrants({ scope, cursor }));
  return (
    <Page
      title="Connected agents"
      description="An agent that you connect asks as you, and never sees more than you may. Disconnect it and its very next call is refused."
    >
      <div className="flex flex-col gap-3">
        <ScopeSwitch label="Whose agents" act="Seeing everyone's agents" value={scope} onChange={setScope} />
        <DataTable
          label="Connected agents"
          columns={columnsOf(scope, setLeaving)}
          {...listingOf(grants)}
          rowKey={({ id }) => id}
          empty={
            <EmptyState
              icon={Bot}
              title={scope === "mine" ? "You have connected no agent" : "Nobody has connected an agent"}
            >
              Give an agent the address below. It sends you here to sign in and to allow it.
            </EmptyState>
          }
        />
      </div>
      <ConnectAgent />
      {leaving && <DisconnectDialog grant={leaving} onClose={() => setLeaving(undefined)} />}
    </Page>
  );
}

function columnsOf(scope: ListScope, disconnect: (grant: Grant) => void): Column<Grant>[] {
  return [
    {
      id: "client",
      header: "Agent",
      cell: ({ client }) => (
        <div className="min-w-0">
          <div className="truncate font-medium">{client.name}</div>
          <div className="truncate text-xs text-muted">returns to {client.redirect_host}</div>
        </div>
      ),
    },
    ...(scope === "org"
      ? [{ id: "user", header: "For", cell: ({ user }: Grant) => <span className="block truncate">{user.email}</span> }]
      : []),
    {
      id: "scopes",
      header: "May",
      hideBelow: "md",
      cell: ({ scopes }) => (
        <div className="flex flex-wrap gap-1 py-1.5">
          {scopes.map((each) => (
            <Chip key={each}>{scopeInWords(each)}</Chip>
          ))}
        </div>
      ),
    },
    {
      id: "used",
      header: "Last used",
      width: 130,
      cell: ({ last_used_at }) => <TimeOrNever at={last_used_at} />,
    },
    {
      id: "expires",
      header: "Ends unless used",
      width: 150,
      hideBelow: "lg",
      cell: ({ expires_at }) => <RelativeTime at={expires_at} />,
    },
    {
      id: "actions",
      header: "Actions",
      hideHeader: true,
      align: "right",
      width: 116,
      cell: (grant) => (
        <Button size="sm" aria-label={`Disconnect ${grant.client.name}`} onClick={() => disconnect(grant)}>
          Disconnect
        </Button>
      ),
    },
  ];
}
