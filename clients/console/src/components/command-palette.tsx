import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { Search } from "lucide-react";
import { type ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Kbd } from "./kbd.tsx";
import { popupItemLook } from "./popup-look.ts";
import { Scrim } from "./scrim.tsx";

interface Command {
  id: string;
  label: string;
  group: string;
  shortcut?: string | undefined;
  /** Other words by which it is looked for. */
  keywords?: string | undefined;
  run: () => void;
}

export interface CommandPaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  commands: readonly Command[];
}

interface CommandGroup {
  value: string;
  items: Command[];
}

export function CommandPalette({ open, onOpenChange, commands }: CommandPaletteProps): ReactNode {
  const groups: CommandGroup[] = [...Map.groupBy(commands, ({ group }) => group)].map(([value, items]) => ({
    value,
    items,
  }));
  const choose = (command: Command): void => {
    onOpenChange(false);
    command.run();
  };
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Scrim />
        <Dialog.Viewport className="fixed inset-0 z-50 flex items-start justify-center p-4 sm:pt-[12vh]">
          <Dialog.Popup
            aria-label="Commands"
            className="flex max-h-[min(28rem,100%)] w-full max-w-xl flex-col overflow-hidden rounded-lg border border-line bg-surface text-sm text-ink shadow-float outline-none transition-[opacity,translate] data-ending-style:opacity-0 data-starting-style:translate-y-1 data-starting-style:opacity-0"
          >
            <Autocomplete.Root
              open
              inline
              items={groups}
              autoHighlight="always"
              keepHighlight
              itemToStringValue={({ label, group, keywords }: Command) => `${label} ${group} ${keywords ?? ""}`}
            >
              <Autocomplete.InputGroup className="flex items-center gap-2 border-b border-line px-4">
                <Search aria-hidden size={16} className="shrink-0 text-faint" />
                <Autocomplete.Input
                  aria-label="Search commands"
                  placeholder="Search pages and commands"
                  className="h-11 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-faint pointer-coarse:text-lg"
                />
              </Autocomplete.InputGroup>
              <Autocomplete.Empty className="px-4 py-6 text-center text-muted empty:hidden">
                Nothing matches. Try another word.
              </Autocomplete.Empty>
              <Autocomplete.List className="min-h-0 overflow-y-auto overscroll-contain p-2 outline-none data-empty:hidden">
                {(group: CommandGroup) => (
                  <Autocomplete.Group key={group.value} items={group.items} className="not-first:mt-2">
                    <Autocomplete.GroupLabel className="px-2 py-1 text-xs font-medium text-muted">
                      {group.value}
                    </Autocomplete.GroupLabel>
                    <Autocomplete.Collection>
                      {(command: Command) => (
                        <Autocomplete.Item
                          key={command.id}
                          value={command}
                          onClick={() => choose(command)}
                          className={classNames(popupItemLook, "justify-between")}
                        >
                          <span className="min-w-0 truncate">{command.label}</span>
                          {command.shortcut && (
                            <span className="pointer-coarse:hidden">
                              <Kbd keys={command.shortcut} />
                            </span>
                          )}
                        </Autocomplete.Item>
                      )}
                    </Autocomplete.Collection>
                  </Autocomplete.Group>
                )}
              </Autocomplete.List>
            </Autocomplete.Root>
            <Dialog.Close className="sr-only">Close</Dialog.Close>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
