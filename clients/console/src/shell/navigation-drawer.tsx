import type { ReactNode } from "react";
import { Drawer } from "../components/drawer.tsx";
import { Navigation } from "./navigation.tsx";
import { PersonMenu } from "./person-menu.tsx";

interface NavigationDrawerProps {
  onOpenChange: (open: boolean) => void;
  onKeyboardHelp: () => void;
}

/** What stands beside the page on a large screen. */
export default function NavigationDrawer({ onOpenChange, onKeyboardHelp }: NavigationDrawerProps): ReactNode {
  return (
    <Drawer open onOpenChange={onOpenChange} title="Navigation">
      <div className="flex flex-col gap-6">
        <Navigation onNavigate={() => onOpenChange(false)} />
        <PersonMenu onKeyboardHelp={onKeyboardHelp} />
      </div>
    </Drawer>
  );
}
