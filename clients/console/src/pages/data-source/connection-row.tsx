import type { ManagedDatabase } from "@svc/contract";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { InlineCode } from "../../components/code-block.tsx";
import { describeFailedAct } from "../../components/describe-failed-act.ts";
import { MessageLine } from "../../components/message-line.tsx";
import { usePermission } from "../../session/permission.ts";
import { useOrg } from "../../session/use-org.ts";
import { ActRow } from "./act-row.tsx";
import { HiddenText } from "./hidden-text.tsx";

/** Fetched when it is asked for, and forgotten when it is hidden: a password has no business in a cache. */
export function ConnectionRow({ database }: { database: ManagedDatabase }): ReactNode {
  const { api } = useOrg();
  const permission = usePermission("developer", "Seeing the connection string");
  const connection = useMutation({ mutationFn: () => api.databaseConnection(database.name), gcTime: 0 });
  const shown = connection.data?.connection_string;
  return (
    <ActRow
      title="Connection string"
      action={
        shown === undefined ? (
          <Button permission={permission} pending={connection.isPending} onClick={() => connection.mutate()}>
            Get the connection string
          </Button>
        ) : (
          <Button onClick={() => connection.reset()}>Put it away</Button>
        )
      }
      below={
        <>
          {shown !== undefined && <HiddenText label="Connection string" text={shown} />}
          {connection.error && <MessageLine tone="danger">{describeFailedAct(connection.error)}</MessageLine>}
        </>
      }
    >
      Whoever has it reads and writes everything in this database, and can give others access. In a terminal:{" "}
      <InlineCode>svc db connect {database.name} -q</InlineCode>
    </ActRow>
  );
}
