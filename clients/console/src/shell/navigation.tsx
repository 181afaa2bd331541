import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useOrg } from "../session/use-org.ts";
import { DESTINATIONS } from "./destinations.ts";

/** The same list beside the page and, on a small screen, in the drawer. */
export function Navigation({ onNavigate }: { onNavigate?: () => void }): ReactNode {
  const { org } = useOrg();
  return (
    <nav aria-label="Main" className="flex flex-col gap-5">
      {DESTINATIONS.map(({ group, items }) => (
        <div key={group}>
          <h2 className="px-2 pb-1 text-2xs font-medium text-faint">{group}</h2>
          <ul className="flex flex-col gap-0.5">
            {items.map(({ to, label, icon: Icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  params={{ org: org.slug }}
                  onClick={onNavigate}
                  className="flex h-8 items-center gap-2.5 rounded-md px-2 text-sm text-muted transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink pointer-coarse:h-10"
                >
                  <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
