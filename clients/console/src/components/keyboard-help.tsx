import { type ReactNode } from "react";
import { Dialog } from "./dialog.tsx";
import { Kbd } from "./kbd.tsx";

interface Shortcut {
  keys: string;
  label: string;
  group?: string | undefined;
}

export interface KeyboardHelpProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  shortcuts: readonly Shortcut[];
}

export function KeyboardHelp({ open, onOpenChange, shortcuts }: KeyboardHelpProps): ReactNode {
  const groups = Map.groupBy(shortcuts, ({ group }) => group ?? "Anywhere");
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <div className="flex flex-col gap-5">
        {[...groups].map(([group, members]) => (
          <section key={group}>
            <h3 className="mb-1 text-xs font-medium text-muted">{group}</h3>
            <dl className="divide-y divide-line">
              {members.map(({ keys, label }) => (
                <div key={keys} className="flex min-h-9 items-center justify-between gap-4 py-1">
                  <dt className="min-w-0 text-sm">{label}</dt>
                  <dd className="flex">
                    <Kbd keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
