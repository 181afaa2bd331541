import { ChevronsUpDown } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { useOrg } from "../session/use-org.ts";
import { menuOnDemand } from "./menu-on-demand.tsx";

const Items = menuOnDemand<{ onKeyboardHelp: () => void; onSignOut: () => void }>(
  () => import("./person-menu-items.tsx"),
);

export function PersonMenu({ onKeyboardHelp }: { onKeyboardHelp: () => void }): ReactNode {
  const { org, user } = useOrg();
  const signOut = useRef<HTMLFormElement>(null);
  const name = user.name ?? user.email;
  return (
    <>
      {/* A form, since its answer is a page: the session ends even where scripts fail from here on. */}
      <form ref={signOut} method="post" action="/logout" hidden />
      <Items
        onKeyboardHelp={onKeyboardHelp}
        onSignOut={() => signOut.current?.submit()}
        className="flex h-11 w-full min-w-0 items-center gap-2.5 rounded-md px-1.5 transition-colors hover:bg-hover data-popup-open:bg-hover"
      >
        <span
          aria-hidden
          className="grid size-7 shrink-0 place-items-center rounded-full bg-sunken text-xs font-medium text-muted"
        >
          {name.slice(0, 1).toUpperCase()}
        </span>
        <span className="min-w-0 flex-1 text-left">
          <span className="block truncate text-sm">{name}</span>
          <span className="block truncate text-2xs text-faint">{user.name === null ? org.role : user.email}</span>
        </span>
        <span className="sr-only">Open profile, theme, sign out</span>
        <ChevronsUpDown aria-hidden size={14} className="shrink-0 text-faint" />
      </Items>
    </>
  );
}
