import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Chip } from "../../components/chip.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { TextField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { Section } from "../../components/page.tsx";
import { sessionQuery } from "../../session/load-session.ts";
import { useOrg } from "../../session/use-org.ts";
import { roleLabel } from "../members/roles.ts";
import type { SessionOrg } from "@svc/contract";

const COLUMNS: Column<SessionOrg>[] = [
  { id: "name", header: "Name", cell: ({ name }) => <span className="block truncate font-medium">{name}</span> },
  {
    id: "slug",
    header: "In addresses",
    hideBelow: "sm",
    cell: ({ slug }) => <span className="block truncate font-mono text-xs">{slug}</span>,
  },
  { id: "role", header: "Your role", width: 120, cell: ({ role }) => <Chip>{roleLabel(role)}</Chip> },
];

export function Organizations(): ReactNode {
  const { session } = useOrg();
  const [isCreating, setCreating] = useState(false);
  return (
    <Section
      title="Organizations"
      actions={
        <Button icon={Plus} onClick={() => setCreating(true)}>
          Create organization
        </Button>
      }
    >
      <DataTable
        label="Organizations"
        columns={COLUMNS}
        rows={session.orgs}
        rowKey={({ id }) => id}
        onRowHref={({ slug }) => `/o/${slug}/data-sources`}
      />
      {isCreating && <CreateOrganization onClose={() => setCreating(false)} />}
    </Section>
  );
}

function CreateOrganization({ onClose }: { onClose: () => void }): ReactNode {
  const { api } = useOrg();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const create = useMutation({
    mutationFn: () => api.createOrg({ name }),
    onSuccess: async ({ org }) => {
      await queries.refetchQueries(sessionQuery);
      onClose();
      await navigate({ to: "/o/$org/welcome", params: { org: org.slug } });
    },
  });
  return (
    <FormDialog
      title="Create organization"
      description="You become its owner. Databases, members and tokens belong to one organization each."
      submitLabel="Create organization"
      pending={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} required maxLength={200} autoComplete="organization" />
    </FormDialog>
  );
}
