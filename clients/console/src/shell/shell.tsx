import { getRouteApi, Outlet, useMatches } from "@tanstack/react-router";
import { Menu, Search } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { IconButton } from "../components/icon-button.tsx";
import { Kbd } from "../components/kbd.tsx";
import { useHotkey } from "../components/use-hotkey.ts";
import { useHasSessionEnded } from "../session/session-end.ts";
import { Navigation } from "./navigation.tsx";
import { NotAMemberPage } from "./not-a-member-page.tsx";
import { OrgSwitcher } from "./org-switcher.tsx";
import { PersonMenu } from "./person-menu.tsx";
import { useDestinationKeys } from "./use-destination-keys.ts";

// Nothing of these is seen before somebody asks for it.
const Palette = lazy(() => import("./palette.tsx"));
const NavigationDrawer = lazy(() => import("./navigation-drawer.tsx"));
const ShortcutHelp = lazy(() => import("./shortcut-help.tsx"));
const SessionEndedDialog = lazy(() => import("../session/session-ended-dialog.tsx"));
const route = getRouteApi("/o/$org");

/** The frame around every page of an organization. */
export function Shell(): ReactNode {
  const { isMember, org, session } = route.useRouteContext();
  if (!isMember) return <NotAMemberPage org={org.slug} email={session.user.email} />;
  return <Frame key={org.slug} />;
}

function Frame(): ReactNode {
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  useHotkey("mod+k", () => setPaletteOpen(true));
  useHotkey("?", () => setHelpOpen(true));
  useDestinationKeys();
  const hasSessionEnded = useHasSessionEnded();
  const path = useMatches().at(-1)?.pathname;
  const search = (
    <button
      type="button"
      onClick={() => setPaletteOpen(true)}
      className="flex h-8 w-full items-center gap-2.5 rounded-md border border-line bg-surface px-2 text-sm text-muted transition-colors hover:border-line-strong hover:text-ink"
    >
      <Search aria-hidden size={14} />
      <span className="flex-1 text-left">Find or go to</span>
      <Kbd keys="mod+k" />
    </button>
  );
  return (
    <div className="flex min-h-svh">
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-surface px-3 py-2 text-sm focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      <aside className="sticky top-0 hidden h-svh w-60 shrink-0 flex-col gap-4 border-r border-line px-3 py-3 lg:flex">
        <OrgSwitcher />
        {search}
        <div className="min-h-0 flex-1 overflow-y-auto">
          <Navigation />
        </div>
        <PersonMenu onKeyboardHelp={() => setHelpOpen(true)} />
      </aside>
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="sticky top-0 z-10 flex h-13 items-center gap-2 border-b border-line bg-canvas px-3 lg:hidden">
          <IconButton label="Open the navigation" icon={Menu} onClick={() => setDrawerOpen(true)} />
          <div className="min-w-0 flex-1">
            <OrgSwitcher />
          </div>
          <IconButton label="Find or go to" icon={Search} onClick={() => setPaletteOpen(true)} />
        </header>
        {/* Keyed by the address, so that one page's half-open dialogs do not reach another. */}
        <main id="content" key={path} tabIndex={-1} className="min-w-0 flex-1 outline-none">
          <Suspense>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <Suspense>
        {isDrawerOpen && <NavigationDrawer onOpenChange={setDrawerOpen} onKeyboardHelp={() => setHelpOpen(true)} />}
        {isPaletteOpen && <Palette onOpenChange={setPaletteOpen} onKeyboardHelp={() => setHelpOpen(true)} />}
        {isHelpOpen && <ShortcutHelp onOpenChange={setHelpOpen} />}
        {hasSessionEnded && <SessionEndedDialog />}
      </Suspense>
    </div>
  );
}
