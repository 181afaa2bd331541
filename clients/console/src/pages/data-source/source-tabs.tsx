import { type ReactNode, useState } from "react";
import { TabPanel, Tabs } from "../../components/tabs.tsx";
import { AskableOverview } from "./askable-overview.tsx";
import { ConnectTab } from "./connect-tab.tsx";
import { ManagedOverview } from "./managed-overview.tsx";
import { NO_QUESTION } from "./question-draft.ts";
import { type SourceTab, useSourceTab } from "./source-tab.ts";
import type { SourceView } from "./source-view.ts";
import { TryTab } from "./try-tab.tsx";
import { useAsk } from "./use-ask.ts";

const TABS: { value: SourceTab; label: string }[] = [
  { value: "overview", label: "Overview" },
  { value: "try", label: "Try a question" },
  { value: "connect", label: "Connect" },
];

export function SourceTabs({ view }: { view: SourceView }): ReactNode {
  const [tab, setTab] = useSourceTab(view.managed ? "overview" : "try");
  // Here and not in the tab, which is gone while another is open: what was typed stays.
  const [draft, setDraft] = useState(NO_QUESTION);
  const asking = useAsk(view);
  return (
    <Tabs label="Parts of this data source" value={tab} onChange={setTab} tabs={TABS}>
      <TabPanel value="overview">
        {view.managed ? <ManagedOverview {...view.managed} /> : <AskableOverview view={view} />}
      </TabPanel>
      <TabPanel value="try">
        <TryTab view={view} draft={draft} onDraft={setDraft} asking={asking} />
      </TabPanel>
      <TabPanel value="connect">
        <ConnectTab view={view} />
      </TabPanel>
    </Tabs>
  );
}
