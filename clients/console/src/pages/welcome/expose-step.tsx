import type { DataSource } from "@svc/contract";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { describeFailedAct } from "../../components/describe-failed-act.ts";
import { MessageLine } from "../../components/message-line.tsx";
import { usePermission } from "../../session/permission.ts";
import { useOrg } from "../../session/use-org.ts";
import { useStepAct } from "./use-step-act.ts";

export function ExposeStep({ source }: { source: DataSource }): ReactNode {
  const { org } = useOrg();
  const permission = usePermission("admin", "Exposing a source");
  const expose = useStepAct((api) => api.exposeSource(source.source_id, { exposed: true, min_role: "viewer" }));
  return (
    <div className="flex flex-col items-start gap-4">
      <p className="max-w-[70ch] text-sm text-muted">
        Everybody in {org.name}, and the agents that they connect, will be able to ask {source.name}. They get the
        columns of the search configuration and nothing else. You can narrow it or take it back at any time.
      </p>
      {!permission.allowed && <p className="text-sm">{permission.reason} Ask one of them to open this page.</p>}
      <MessageLine tone="danger">{expose.error && describeFailedAct(expose.error)}</MessageLine>
      <Button variant="primary" permission={permission} pending={expose.isPending} onClick={() => expose.mutate()}>
        Expose {source.name}
      </Button>
    </div>
  );
}
