import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { usePermission } from "../../session/permission.ts";
import { AskableTable } from "./askable-table.tsx";
import { CreateDatabaseDialog } from "./create-database-dialog.tsx";
import { SourcesTable } from "./sources-table.tsx";

export function DataSourcesPage(): ReactNode {
  const seeing = usePermission("developer", "Seeing all sources, their health and their settings");
  const creating = usePermission("developer", "Creating a database");
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title="Data sources"
      description="Databases that agents can search by meaning. An agent gets what a source's configuration names, and nothing else."
      actions={
        <Button icon={Plus} permission={creating} onClick={() => setCreating(true)}>
          Create a database
        </Button>
      }
    >
      {seeing.allowed ? <SourcesTable /> : <AskableTable whyNoMore={seeing.reason} />}
      {isCreating && <CreateDatabaseDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}
