import { Menu } from "@base-ui/react/menu";
import { useNavigate } from "@tanstack/react-router";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "../components/class-names.ts";
import { popupItemLook, popupListLook, popupLook } from "../components/popup-look.ts";
import { useOrg } from "../session/use-org.ts";

interface OrgMenuProps {
  className: string;
  children: ReactNode;
}

export default function OrgMenu({ className, children }: OrgMenuProps): ReactNode {
  const { org, session } = useOrg();
  const navigate = useNavigate();
  return (
    <Menu.Root defaultOpen modal={false}>
      <Menu.Trigger className={className}>{children}</Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="start" collisionPadding={8} className="z-50 outline-none">
          <Menu.Popup aria-label="Organizations" className={classNames(popupLook, popupListLook, "w-64")}>
            {session.orgs.map(({ id, slug, name, role }) => (
              <Menu.Item
                key={id}
                onClick={() => void navigate({ to: "/o/$org/data-sources", params: { org: slug } })}
                className={popupItemLook}
              >
                <span className="min-w-0 flex-1">
                  <span className="block truncate">{name}</span>
                  <span className="block text-xs text-muted">You are {role}</span>
                </span>
                {slug === org.slug && <Check aria-label="current" size={14} className="mt-0.75 shrink-0" />}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
