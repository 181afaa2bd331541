import type { Member } from "@svc/contract";
import { Users } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Chip } from "../../components/chip.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Menu } from "../../components/menu.tsx";
import type { Permission } from "../../components/permission.ts";
import { RelativeTime } from "../../components/relative-time.tsx";
import { usePermission } from "../../session/permission.ts";
import { useOrg } from "../../session/use-org.ts";
import { listingOf, usePages } from "../../session/use-pages.tsx";
import { ChangeRoleDialog } from "./change-role-dialog.tsx";
import { RemoveMemberDialog } from "./remove-member-dialog.tsx";
import { roleLabel } from "./roles.ts";

type Act = { kind: "change" | "remove"; member: Member };

export function MemberList(): ReactNode {
  const { org, user, api } = useOrg();
  const [act, setAct] = useState<Act>();
  const mayChange = usePermission("owner", "Changing a role");
  const mayRemove = usePermission("owner", "Removing somebody");
  const members = usePages([org.slug, "members"], (cursor) => api.listMembers(org.slug, { cursor }));
  const close = (): void => setAct(undefined);
  return (
    <>
      <DataTable
        label="Members"
        columns={columnsOf({ userId: user.id, mayChange, mayRemove, act: setAct })}
        {...listingOf(members)}
        rowKey={({ id }) => id}
        empty={<EmptyState icon={Users} title="Nobody is here" />}
      />
      {act?.kind === "change" && <ChangeRoleDialog member={act.member} onClose={close} />}
      {act?.kind === "remove" && <RemoveMemberDialog member={act.member} onClose={close} />}
    </>
  );
}

interface ColumnOptions {
  userId: string;
  mayChange: Permission;
  mayRemove: Permission;
  act: (act: Act) => void;
}

function columnsOf({ userId, mayChange, mayRemove, act }: ColumnOptions): Column<Member>[] {
  return [
    {
      id: "person",
      header: "Person",
      sortValue: ({ user }) => user.name ?? user.email,
      cell: ({ user }) => (
        <div className="min-w-0 py-1">
          <div className="flex min-w-0 items-center gap-2">
            <span className="truncate font-medium">{user.name ?? user.email}</span>
            {user.id === userId && <Chip>You</Chip>}
          </div>
          {user.name !== null && <div className="truncate text-xs text-muted">{user.email}</div>}
        </div>
      ),
    },
    { id: "role", header: "Role", width: 130, cell: ({ role }) => <Chip>{roleLabel(role)}</Chip> },
    {
      id: "since",
      header: "Joined",
      width: 150,
      hideBelow: "md",
      cell: ({ created_at }) => <RelativeTime at={created_at} />,
    },
    {
      id: "actions",
      header: "Actions",
      hideHeader: true,
      align: "right",
      width: 64,
      cell: (member) => {
        const isYou = member.user.id === userId;
        return (
          <Menu
            label={`Actions for ${member.user.email}`}
            items={[
              { label: "Change role", permission: mayChange, onSelect: () => act({ kind: "change", member }) },
              {
                label: isYou ? "Leave the organization" : "Remove from the organization",
                tone: "danger",
                permission: isYou ? undefined : mayRemove,
                onSelect: () => act({ kind: "remove", member }),
              },
            ]}
          />
        );
      },
    },
  ];
}
