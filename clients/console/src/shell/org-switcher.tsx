import { ChevronsUpDown } from "lucide-react";
import type { ReactNode } from "react";
import { useOrg } from "../session/use-org.ts";
import { menuOnDemand } from "./menu-on-demand.tsx";

const OrgMenu = menuOnDemand(() => import("./org-menu.tsx"));
const LOOK = "flex h-9 w-full min-w-0 items-center gap-2.5 rounded-md px-1.5";

/** Each organization has addresses of its own, so that two can be open side by side. */
export function OrgSwitcher(): ReactNode {
  const { org, session } = useOrg();
  const name = (
    <>
      <span
        aria-hidden
        className="grid size-6 shrink-0 place-items-center rounded-md bg-action text-xs font-semibold text-on-action"
      >
        {org.name.slice(0, 1).toUpperCase()}
      </span>
      <span className="min-w-0 flex-1 truncate text-left text-sm font-medium">{org.name}</span>
    </>
  );
  if (session.orgs.length < 2) return <div className={LOOK}>{name}</div>;
  return (
    <OrgMenu className={`${LOOK} transition-colors hover:bg-hover data-popup-open:bg-hover`}>
      {name}
      <span className="sr-only">Switch organization</span>
      <ChevronsUpDown aria-hidden size={14} className="shrink-0 text-faint" />
    </OrgMenu>
  );
}
