import { Menu } from "@base-ui/react/menu";
import { useNavigate } from "@tanstack/react-router";
import { Keyboard, LogOut, Monitor, Moon, Sun, UserRound, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "../components/class-names.ts";
import { popupItemLook, popupListLook, popupLook } from "../components/popup-look.ts";
import { useOrg } from "../session/use-org.ts";
import { setTheme, type Theme, THEMES, useTheme } from "./theme.ts";

const THEME_ICONS: Record<Theme, LucideIcon> = { system: Monitor, light: Sun, dark: Moon };
const THEME_LABELS: Record<Theme, string> = { system: "As the system", light: "Light", dark: "Dark" };

interface PersonMenuItemsProps {
  className: string;
  children: ReactNode;
  onKeyboardHelp: () => void;
  onSignOut: () => void;
}

export default function PersonMenuItems(props: PersonMenuItemsProps): ReactNode {
  const { className, children, onKeyboardHelp, onSignOut } = props;
  const { org } = useOrg();
  const theme = useTheme();
  const navigate = useNavigate();
  const separator = <Menu.Separator className="-mx-1 my-1 h-px bg-line" />;
  return (
    <Menu.Root defaultOpen modal={false}>
      <Menu.Trigger className={className}>{children}</Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="start" side="top" collisionPadding={8} className="z-50 outline-none">
          <Menu.Popup aria-label="You" className={classNames(popupLook, popupListLook, "w-60")}>
            <Menu.Item
              className={popupItemLook}
              onClick={() => void navigate({ to: "/o/$org/profile", params: { org: org.slug } })}
            >
              <ItemIcon icon={UserRound} /> Profile
            </Menu.Item>
            <Menu.Item className={popupItemLook} onClick={onKeyboardHelp}>
              <ItemIcon icon={Keyboard} /> Keyboard shortcuts
            </Menu.Item>
            {separator}
            <Menu.RadioGroup aria-label="Theme" value={theme} onValueChange={(value: Theme) => setTheme(value)}>
              {THEMES.map((each) => (
                <Menu.RadioItem key={each} value={each} closeOnClick className={popupItemLook}>
                  <ItemIcon icon={THEME_ICONS[each]} />
                  <span className="flex-1">{THEME_LABELS[each]}</span>
                  <Menu.RadioItemIndicator className="mt-1.75 size-1.5 rounded-full bg-ink" />
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            {separator}
            <Menu.Item className={popupItemLook} onClick={onSignOut}>
              <ItemIcon icon={LogOut} /> Sign out
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** As high as the line of words beside it. */
function ItemIcon({ icon: Icon }: { icon: LucideIcon }): ReactNode {
  return (
    <span className="grid h-5 place-items-center">
      <Icon aria-hidden size={14} />
    </span>
  );
}
