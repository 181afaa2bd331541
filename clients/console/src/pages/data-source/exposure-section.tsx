import type { DataSource, MinRole } from "@svc/contract";
import { isAtLeast } from "@svc/contract/plain";
import { type ReactNode, useState } from "react";
import { Panel, Section } from "../../components/page.tsx";
import { Select } from "../../components/select.tsx";
import { Switch } from "../../components/switch.tsx";
import { usePermission } from "../../session/permission.ts";
import { useOrg } from "../../session/use-org.ts";
import type { Exposure } from "./exposure-effect.ts";
import { ExposureDialog } from "./exposure-dialog.tsx";
import { MIN_ROLE_OPTIONS } from "./role-words.ts";
import { WhoCanAsk } from "./who-can-ask.tsx";

/** Who can ask a source. Nothing here takes effect before it was said to whom, and confirmed. */
export function ExposureSection({ source }: { source: DataSource }): ReactNode {
  const { org } = useOrg();
  const exposing = usePermission("admin", "Exposing a source");
  const [wanted, setWanted] = useState<Exposure>();
  const now: Exposure = { exposed: source.exposed, min_role: source.min_role };
  const isOff = !source.enabled && !source.exposed;
  return (
    <Section title="Exposure" description="Whether members, and the agents that they connect, can ask this source.">
      <Panel>
        <div className="flex flex-col gap-4">
          <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_14rem]">
            <Switch
              label="Exposed"
              hint={isOff ? "It is switched off as a data source. Switch it on below first." : <WhoCanAsk now={now} />}
              checked={source.exposed}
              permission={
                isOff && exposing.allowed
                  ? { allowed: false, reason: "Switch it on as a data source first." }
                  : exposing
              }
              onChange={(exposed) => setWanted({ ...now, exposed })}
            />
            <Select
              label="Minimum role"
              value={source.min_role}
              options={MIN_ROLE_OPTIONS}
              disabled={!exposing.allowed}
              onChange={(min_role: MinRole) => min_role !== now.min_role && setWanted({ ...now, min_role })}
            />
          </div>
          {!exposing.allowed && <p className="text-sm text-muted">{exposing.reason}</p>}
          {source.exposed && isAtLeast(org.role, "developer") && (
            <p className="max-w-[70ch] text-sm text-muted">
              The minimum role is about questions. Developers and up reach the database itself by its connection string.
            </p>
          )}
        </div>
      </Panel>
      <ExposureDialog source={source} now={now} wanted={wanted} onClose={() => setWanted(undefined)} />
    </Section>
  );
}
