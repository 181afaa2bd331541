import { Search } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Combobox } from "../components/combobox.tsx";
import { TextArea, TextField } from "../components/field.tsx";
import { Select } from "../components/select.tsx";
import { Switch } from "../components/switch.tsx";
import { SegmentedControl } from "../components/segmented-control.tsx";
import { TabPanel, Tabs } from "../components/tabs.tsx";
import { FORBIDDEN, LONG_NAME, ROLE_OPTIONS, SOURCE_OPTIONS } from "./control-samples.ts";
import { PatternGroup, PatternState } from "./pattern-group.tsx";

const nothing = (): void => undefined;

export function FieldPatterns(): ReactNode {
  return (
    <>
      <TextPatterns />
      <ChoicePatterns />
      <SwitchPatterns />
      <TabPatterns />
    </>
  );
}

function TextPatterns(): ReactNode {
  const [text, setText] = useState("");
  const words = { value: text, onChange: setText, className: "w-full" };
  return (
    <PatternGroup name="Text field and text area">
      <PatternState name="Default, with hint">
        <TextField {...words} label="Name" placeholder="orders" hint="Agents see this name." />
      </PatternState>
      <PatternState name="Required, with icon">
        <TextField {...words} label="Search" icon={Search} placeholder="Search sources" required />
      </PatternState>
      <PatternState name="Error">
        <TextField
          {...words}
          label="Address"
          mono
          value="orders.example:99999"
          onChange={nothing}
          hint="Host and port of the database."
          error="The port is above 65535. Give one between 1 and 65535."
        />
      </PatternState>
      <PatternState name="Disabled">
        <TextField {...words} label="Slug" value="analytical-engines" onChange={nothing} disabled />
      </PatternState>
      <PatternState name="Long content">
        <TextField {...words} label={`Name of ${LONG_NAME}`} value={LONG_NAME} onChange={nothing} mono />
      </PatternState>
      <PatternState name="Text area">
        <TextArea
          {...words}
          label="Description"
          placeholder="What is in it, and for whom"
          hint="At most 500 letters."
        />
      </PatternState>
    </PatternGroup>
  );
}

function ChoicePatterns(): ReactNode {
  const [role, setRole] = useState<(typeof ROLE_OPTIONS)[number]["value"]>("developer");
  const [source, setSource] = useState<string | undefined>("orders");
  return (
    <PatternGroup name="Select and combobox">
      <PatternState name="Select">
        <Select className="w-full" label="Role" value={role} onChange={setRole} options={ROLE_OPTIONS} />
      </PatternState>
      <PatternState name="Nothing chosen, with error">
        <Select
          className="w-full"
          label="Role"
          value={undefined}
          onChange={nothing}
          options={ROLE_OPTIONS}
          placeholder="Choose a role"
          error="Choose a role."
        />
      </PatternState>
      <PatternState name="Disabled, label hidden">
        <Select
          className="w-full"
          label="Role"
          hideLabel
          value={role}
          onChange={setRole}
          options={ROLE_OPTIONS}
          disabled
        />
      </PatternState>
      <PatternState name="Combobox">
        <Combobox className="w-full" label="Source" value={source} onChange={setSource} options={SOURCE_OPTIONS} />
      </PatternState>
      <PatternState name="Nothing chosen, with hint">
        <Combobox
          className="w-full"
          label="Source"
          value={undefined}
          onChange={nothing}
          options={SOURCE_OPTIONS}
          placeholder="Any source"
          hint="Leave it empty to see all."
        />
      </PatternState>
      <PatternState name="Long content, disabled">
        <Combobox className="w-full" label="Source" value="long" onChange={nothing} options={SOURCE_OPTIONS} disabled />
      </PatternState>
    </PatternGroup>
  );
}

function SwitchPatterns(): ReactNode {
  const [on, setOn] = useState(true);
  return (
    <PatternGroup name="Switch">
      <PatternState name="On and off">
        <Switch label="Exposed to agents" checked={on} onChange={setOn} hint="Agents with a grant can ask it." />
        <Switch label="Ask before writing" checked={!on} onChange={(next) => setOn(!next)} />
      </PatternState>
      <PatternState name="Pending, disabled">
        <Switch label="Exposed to agents" checked onChange={nothing} pending />
        <Switch label="Ask before writing" checked={false} onChange={nothing} disabled />
      </PatternState>
      <PatternState name="Forbidden, with the reason">
        <Switch label="Exposed to agents" checked onChange={nothing} permission={FORBIDDEN} />
      </PatternState>
    </PatternGroup>
  );
}

function TabPatterns(): ReactNode {
  const [tab, setTab] = useState("objects");
  const [view, setView] = useState("all");
  return (
    <PatternGroup name="Tabs and segmented control">
      <PatternState name="Tabs">
        <Tabs
          label="Parts of the source"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: "objects", label: "Objects", count: 128 },
            { value: "access", label: "Access", count: 3 },
            { value: "settings", label: "Settings" },
          ]}
        >
          <TabPanel value="objects">Tables and views that agents may read.</TabPanel>
          <TabPanel value="access">Who has a grant.</TabPanel>
          <TabPanel value="settings">Name, description, connection.</TabPanel>
        </Tabs>
      </PatternState>
      <PatternState name="More tabs than fit">
        <Tabs
          label="Regions"
          value="a"
          onChange={nothing}
          tabs={["a", "b", "c", "d", "e", "f", "g"].map((value) => ({ value, label: `Region ${value}`, count: 1_204 }))}
        />
      </PatternState>
      <PatternState name="Segmented control">
        <SegmentedControl
          label="Which calls"
          value={view}
          onChange={setView}
          tabs={[
            { value: "all", label: "All", count: 240 },
            { value: "failed", label: "Failed", count: 4 },
            { value: "everyone", label: "Everyone's", permission: FORBIDDEN },
          ]}
        />
      </PatternState>
    </PatternGroup>
  );
}
