import type { ManagedDatabase } from "@svc/contract";
import { Trash2, Undo2 } from "lucide-react";
import { type ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { describeFailedAct } from "../../components/describe-failed-act.ts";
import { MessageLine } from "../../components/message-line.tsx";
import { Panel } from "../../components/page.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { StateMessage } from "../../components/state-message.tsx";
import { usePermission } from "../../session/permission.ts";
import { useChangeDatabase } from "./use-change-database.ts";

/** All there is to do with a database that is on its way out. */
export function DeletingNotice({ database }: { database: ManagedDatabase }): ReactNode {
  const restoring = usePermission("admin", "Restoring a database");
  const restore = useChangeDatabase(database, {
    change: (api, name) => api.restoreDatabase(name),
    done: ({ name }) => `${name} is restored. As a data source it stays switched off`,
  });
  return (
    <Panel padded={false}>
      <StateMessage
        icon={Trash2}
        tone="danger"
        title="This database is being deleted"
        action={
          <Button icon={Undo2} permission={restoring} pending={restore.isPending} onClick={() => restore.mutate()}>
            Restore the database
          </Button>
        }
      >
        <p>
          It is closed: nobody can ask it or connect to it.{" "}
          {database.delete_after && (
            <>
              Its data goes for good <RelativeTime at={database.delete_after} />.
            </>
          )}
        </p>
        <p>
          Until then it can be restored with its data and passwords. It comes back switched off and exposed to nobody.
        </p>
        {!restoring.allowed && <p>{restoring.reason}</p>}
        {restore.error && <MessageLine tone="danger">{describeFailedAct(restore.error)}</MessageLine>}
      </StateMessage>
    </Panel>
  );
}
