import { type ReactNode, useState } from "react";
import { Button } from "../components/button.tsx";
import { CommandPalette } from "../components/command-palette.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Drawer } from "../components/drawer.tsx";
import { TextField } from "../components/field.tsx";
import { KeyboardHelp } from "../components/keyboard-help.tsx";
import { SecretOnce } from "../components/secret-once.tsx";
import { type ToastMessage, useToast } from "../components/toast.tsx";
import { LONG_NAME } from "./control-samples.ts";
import { PatternGroup, PatternState } from "./pattern-group.tsx";

const nothing = (): void => undefined;

export function DialogPatterns(): ReactNode {
  return (
    <>
      <PatternGroup name="Dialogs">
        <PatternState name="Dialog, drawer">
          <Opened label="Open dialog">{(props) => <SampleDialog {...props} />}</Opened>
          <Opened label="Open long dialog">{(props) => <LongDialog {...props} />}</Opened>
          <Opened label="Open drawer">{(props) => <SampleDrawer {...props} />}</Opened>
        </PatternState>
        <PatternState name="Confirm dialog">
          <Confirm label="Ask" />
          <Confirm label="Ask and type" typeToConfirm="orders" />
          <Confirm label="Pending" pending />
          <Confirm
            label="Failed"
            error={new Error("The source is being indexed. Wait until it is done, then delete it.")}
          />
        </PatternState>
        <PatternState name="Palette and keyboard help">
          <Opened label="Open palette">{(props) => <SamplePalette {...props} />}</Opened>
          <Opened label="Open keyboard help">{(props) => <SampleHelp {...props} />}</Opened>
        </PatternState>
      </PatternGroup>
      <ToastPatterns />
      <PatternGroup name="Secret shown once">
        <PatternState name="In a dialog that only its end closes">
          <Opened label="Show a secret">{(props) => <SampleSecret {...props} />}</Opened>
        </PatternState>
      </PatternGroup>
    </>
  );
}

interface OpenProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function Opened({ label, children }: { label: string; children: (props: OpenProps) => ReactNode }): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      {children({ open, onOpenChange: setOpen })}
    </>
  );
}

function SampleDialog({ open, onOpenChange }: OpenProps): ReactNode {
  const [name, setName] = useState("");
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Create an API token"
      description="It can do what you can do, until it expires or you revoke it."
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button variant="primary" onClick={() => onOpenChange(false)}>
            Create token
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        placeholder="ci"
        hint="So that you know it again."
        required
      />
    </Dialog>
  );
}

function LongDialog({ open, onOpenChange }: OpenProps): ReactNode {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={`What agents see of ${LONG_NAME}`}
      footer={<Button onClick={() => onOpenChange(false)}>Close</Button>}
    >
      <ol className="flex flex-col gap-3">
        {Array.from({ length: 30 }, (_, index) => (
          <li key={index} className="max-w-[70ch]">
            Table {index + 1}: its columns, their types and what was written about them.
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

function SampleDrawer({ open, onOpenChange }: OpenProps): ReactNode {
  return (
    <Drawer
      open={open}
      onOpenChange={onOpenChange}
      title="Call of 14:02"
      description="What was asked, and what was answered."
      footer={<Button onClick={() => onOpenChange(false)}>Close</Button>}
    >
      <p className="max-w-[70ch]">The list behind stays where it was.</p>
    </Drawer>
  );
}

function SampleSecret({ open, onOpenChange }: OpenProps): ReactNode {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} closable={false} title="Token ci created">
      <SecretOnce
        label="API token"
        secret="svc_pat_example_4f6e2a9d81c35b70e2f4a6c8d0b1e3f5"
        onDone={() => onOpenChange(false)}
      />
    </Dialog>
  );
}

function Confirm({
  label,
  ...rest
}: {
  label: string;
  typeToConfirm?: string;
  pending?: boolean;
  error?: Error;
}): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      <ConfirmDialog
        {...rest}
        open={open}
        onOpenChange={setOpen}
        tone="danger"
        title="Delete the source orders?"
        description="Agents lose it at once, and its index is removed. The database itself stays as it is."
        confirmLabel="Delete source"
        onConfirm={() => setOpen(false)}
      />
    </>
  );
}

const COMMANDS = [
  { id: "sources", label: "Data sources", group: "Go to", shortcut: "g d", run: nothing },
  { id: "activity", label: "Activity", group: "Go to", shortcut: "g a", run: nothing },
  { id: "connect", label: "Connect a source", group: "Act", run: nothing },
  { id: "token", label: "Create a token", group: "Act", keywords: "api key", run: nothing },
  { id: "long", label: LONG_NAME, group: "Data sources", run: nothing },
];

function SamplePalette(props: OpenProps): ReactNode {
  return <CommandPalette {...props} commands={COMMANDS} />;
}

function SampleHelp(props: OpenProps): ReactNode {
  return (
    <KeyboardHelp
      {...props}
      shortcuts={[
        { keys: "mod+k", label: "Find or go to" },
        { keys: "?", label: "Show these shortcuts" },
        { keys: "g d", label: "Data sources", group: "Go to" },
        { keys: "g a", label: "Activity", group: "Go to" },
      ]}
    />
  );
}

const TOASTS: ToastMessage[] = [
  { tone: "ok", title: "Source exposed" },
  { tone: "info", title: "Indexing started", description: "It takes about two minutes." },
  { tone: "warn", title: "Token expires tomorrow", action: { label: "Renew token", onPress: nothing } },
  { tone: "danger", title: "Source not deleted", description: `${LONG_NAME} is being indexed. Wait until it is done.` },
];

function ToastPatterns(): ReactNode {
  const { show } = useToast();
  return (
    <PatternGroup name="Toast">
      <PatternState name="An error stays until it is closed">
        {TOASTS.map((toast) => (
          <Button key={toast.tone} onClick={() => show(toast)}>
            {`Show ${toast.tone}`}
          </Button>
        ))}
      </PatternState>
    </PatternGroup>
  );
}
