import type { ApiToken } from "@svc/contract";
import { KeyRound, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { InlineCode } from "../../components/code-block.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Page } from "../../components/page.tsx";
import { RelativeTime, TimeOrNever } from "../../components/relative-time.tsx";
import { type ListScope, ScopeSwitch } from "../../session/scope-switch.tsx";
import { useOrg } from "../../session/use-org.ts";
import { listingOf, usePages } from "../../session/use-pages.tsx";
import { CreateTokenDialog } from "./create-token-dialog.tsx";
import { ExpiryChip } from "./expiry-chip.tsx";
import { RevokeTokenDialog } from "./revoke-token-dialog.tsx";

/** What programs without a browser come in with. */
export function ApiTokensPage(): ReactNode {
  const { org, api } = useOrg();
  const [scope, setScope] = useState<ListScope>("mine");
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiToken>();
  const tokens = usePages([org.slug, "api-tokens", scope], (cursor) => api.listApiTokens({ scope, cursor }));
  const create = (
    <Button variant="primary" icon={Plus} onClick={() => setCreating(true)}>
      Create token
    </Button>
  );
  return (
    <Page
      title="API tokens"
      description={`For scripts and the svc command line. A token acts as you in ${org.name}, with the role you have at that moment.`}
      actions={create}
    >
      <div className="flex flex-col gap-3">
        <ScopeSwitch label="Whose tokens" act="Seeing everyone's tokens" value={scope} onChange={setScope} />
        <DataTable
          label="API tokens"
          columns={columnsOf(scope, setRevoking)}
          {...listingOf(tokens)}
          rowKey={({ id }) => id}
          empty={
            <EmptyState icon={KeyRound} title={scope === "mine" ? "You have no token" : "Nobody has a token"}>
              Create one for a script or for svc login. It is shown once.
            </EmptyState>
          }
        />
      </div>
      {isCreating && <CreateTokenDialog onClose={() => setCreating(false)} />}
      {revoking && <RevokeTokenDialog token={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  );
}

function columnsOf(scope: ListScope, revoke: (token: ApiToken) => void): Column<ApiToken>[] {
  return [
    { id: "name", header: "Name", cell: ({ name }) => <span className="block truncate font-medium">{name}</span> },
    { id: "prefix", header: "Begins with", width: 140, cell: ({ prefix }) => <InlineCode>{prefix}…</InlineCode> },
    ...(scope === "org"
      ? [
          {
            id: "user",
            header: "Of",
            cell: ({ user }: ApiToken) => <span className="block truncate">{user.email}</span>,
          },
        ]
      : []),
    {
      id: "created",
      header: "Created",
      width: 130,
      hideBelow: "lg",
      cell: ({ created_at }) => <RelativeTime at={created_at} />,
    },
    {
      id: "used",
      header: "Last used",
      width: 130,
      cell: ({ last_used_at }) => <TimeOrNever at={last_used_at} />,
    },
    {
      id: "expires",
      header: "Ends",
      width: 140,
      hideBelow: "md",
      cell: ({ expires_at }) => <ExpiryChip at={expires_at} />,
    },
    {
      id: "actions",
      header: "Actions",
      hideHeader: true,
      align: "right",
      width: 96,
      cell: (token) => (
        <Button size="sm" aria-label={`Revoke ${token.name}`} onClick={() => revoke(token)}>
          Revoke
        </Button>
      ),
    },
  ];
}
