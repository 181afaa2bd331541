import { ArrowRight, Copy, Pencil, Plus, Trash2 } from "lucide-react";
import { type ReactNode } from "react";
import { Button } from "../components/button.tsx";
import { IconButton } from "../components/icon-button.tsx";
import { Kbd } from "../components/kbd.tsx";
import { LinkButton } from "../components/link-button.tsx";
import { Menu } from "../components/menu.tsx";
import { Tooltip } from "../components/tooltip.tsx";
import { FORBIDDEN, LONG_NAME } from "./control-samples.ts";
import { PatternGroup, PatternState } from "./pattern-group.tsx";

const nothing = (): void => undefined;
const VARIANTS = [
  ["primary", "Create token"],
  ["secondary", "Edit source"],
  ["ghost", "Skip"],
  ["danger", "Delete source"],
] as const;

function EachVariant(props: Partial<Parameters<typeof Button>[0]>): ReactNode {
  return VARIANTS.map(([variant, label]) => (
    <Button key={variant} {...props} variant={variant}>
      {label}
    </Button>
  ));
}

export function ButtonPatterns(): ReactNode {
  return (
    <>
      <PatternGroup name="Button">
        <PatternState name="Default">
          <EachVariant />
        </PatternState>
        <PatternState name="Small">
          <EachVariant size="sm" />
        </PatternState>
        <PatternState name="With icon">
          <EachVariant icon={Plus} />
        </PatternState>
        <PatternState name="Pending">
          <EachVariant pending />
        </PatternState>
        <PatternState name="Disabled">
          <EachVariant disabled />
        </PatternState>
        <PatternState name="Long content">
          <Button icon={Plus}>{`Connect ${LONG_NAME}`}</Button>
        </PatternState>
        <PatternState name="Forbidden, with the reason">
          <EachVariant permission={FORBIDDEN} />
        </PatternState>
      </PatternGroup>
      <PatternGroup name="Icon button and link button">
        <PatternState name="Icon button">
          <IconButton label="Edit source" icon={Pencil} />
          <IconButton label="Copy address" icon={Copy} variant="secondary" />
          <IconButton label="Copy address" icon={Copy} size="sm" />
        </PatternState>
        <PatternState name="Pending, disabled, forbidden">
          <IconButton label="Edit source" icon={Pencil} variant="secondary" pending />
          <IconButton label="Edit source" icon={Pencil} variant="secondary" disabled />
          <IconButton label="Edit source" icon={Pencil} variant="secondary" permission={FORBIDDEN} />
        </PatternState>
        <PatternState name="Link button, and forbidden">
          <LinkButton to="." icon={ArrowRight}>
            Open source
          </LinkButton>
          <LinkButton to="." permission={FORBIDDEN}>
            Open source
          </LinkButton>
        </PatternState>
      </PatternGroup>
      <PatternGroup name="Menu, tooltip, keys">
        <PatternState name="Menu with a forbidden item">
          <Menu
            label="More about orders"
            items={[
              { label: "Edit source", icon: Pencil, shortcut: "e", onSelect: nothing },
              { label: "Copy address", icon: Copy, onSelect: nothing },
              { label: "Expose source", icon: ArrowRight, onSelect: nothing, permission: FORBIDDEN },
              "separator",
              { label: "Delete source", icon: Trash2, tone: "danger", onSelect: nothing },
            ]}
          />
          <Menu
            label="Order"
            align="start"
            trigger={<Button>Order by</Button>}
            items={[
              { label: "Name", checked: true, onSelect: nothing },
              { label: "Last use", checked: false, onSelect: nothing },
              { label: LONG_NAME, checked: false, onSelect: nothing },
            ]}
          />
        </PatternState>
        <PatternState name="Tooltip">
          <Tooltip text="Indexed three minutes ago">
            <Button variant="ghost">Hover or focus</Button>
          </Tooltip>
          <Tooltip text={`The whole name is ${LONG_NAME}`}>
            <Button variant="ghost">Long text</Button>
          </Tooltip>
        </PatternState>
        <PatternState name="Keys">
          <Kbd keys="mod+k" />
          <Kbd keys="?" />
          <Kbd keys="g d" />
          <Kbd keys="shift+enter" />
        </PatternState>
      </PatternGroup>
    </>
  );
}
