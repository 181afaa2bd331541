import { Menu as Base } from "@base-ui/react/menu";
import { Check, Ellipsis, type LucideIcon } from "lucide-react";
import { type ReactElement, type ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { IconButton } from "./icon-button.tsx";
import { Kbd } from "./kbd.tsx";
import { type Permission } from "./permission.ts";
import { popupItemLook, popupListLook, popupLook } from "./popup-look.ts";

interface MenuItem {
  label: string;
  icon?: LucideIcon | undefined;
  tone?: "default" | "danger";
  hint?: string | undefined;
  shortcut?: string | undefined;
  /** Where one of several is in force: a mark in front of it. */
  checked?: boolean | undefined;
  onSelect: () => void;
  permission?: Permission | undefined;
}

export interface MenuProps {
  /** Names the menu, and the three dots where no other trigger is given. */
  label: string;
  trigger?: ReactElement;
  items: readonly (MenuItem | "separator")[];
  align?: "start" | "end";
  side?: "top" | "bottom" | "right";
}

export function Menu({ label, trigger, items, align = "end", side = "bottom" }: MenuProps): ReactNode {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger ?? <IconButton label={label} icon={Ellipsis} />} />
      <Base.Portal>
        <Base.Positioner align={align} side={side} sideOffset={4} collisionPadding={8} className="z-50 outline-none">
          <Base.Popup aria-label={label} className={classNames(popupLook, popupListLook, "max-w-80 min-w-44")}>
            {items.map((item, index) =>
              item === "separator" ? (
                // oxlint-disable-next-line react/no-array-index-key
                <Base.Separator key={index} className="-mx-1 my-1 h-px bg-line" />
              ) : (
                <Item key={item.label} item={item} />
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Item({ item }: { item: MenuItem }): ReactNode {
  const forbidden = item.permission?.allowed === false;
  const hint = forbidden ? item.permission?.reason : item.hint;
  const look = classNames(popupItemLook, forbidden ? "text-faint" : item.tone === "danger" && "text-danger");
  const select = forbidden ? undefined : item.onSelect;
  const content = (
    <>
      {item.icon && (
        <span className="grid h-5 shrink-0 place-items-center">
          <item.icon aria-hidden size={14} />
        </span>
      )}
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="truncate">{item.label}</span>
        {hint !== undefined && <span className="text-xs text-muted">{hint}</span>}
      </span>
      {item.shortcut && (
        <span className="pointer-coarse:hidden">
          <Kbd keys={item.shortcut} />
        </span>
      )}
    </>
  );
  if (item.checked === undefined) {
    return (
      <Base.Item
        label={item.label}
        onClick={select}
        closeOnClick={!forbidden}
        aria-disabled={forbidden || undefined}
        className={look}
      >
        {content}
      </Base.Item>
    );
  }
  return (
    <Base.CheckboxItem
      label={item.label}
      checked={item.checked}
      onClick={select}
      closeOnClick={!forbidden}
      aria-disabled={forbidden || undefined}
      className={look}
    >
      {content}
      <Base.CheckboxItemIndicator className="grid h-5 shrink-0 place-items-center">
        <Check aria-hidden size={14} />
      </Base.CheckboxItemIndicator>
    </Base.CheckboxItem>
  );
}
