import { useNavigate } from "@tanstack/react-router";
import { isAtLeast } from "@svc/contract/plain";
import type { ReactNode } from "react";
import { CommandPalette } from "../components/command-palette.tsx";
import { useSources } from "../pages/data-source/queries.ts";
import { useOrg } from "../session/use-org.ts";
import { ALL_DESTINATIONS } from "./destinations.ts";
import { setTheme, THEMES } from "./theme.ts";

interface PaletteProps {
  onOpenChange: (open: boolean) => void;
  onKeyboardHelp: () => void;
}

/** Pages, sources, organizations and the few things that can be done from everywhere. */
export default function Palette({ onOpenChange, onKeyboardHelp }: PaletteProps): ReactNode {
  const { org, session } = useOrg();
  const navigate = useNavigate();
  const sources = useSources({ enabled: isAtLeast(org.role, "developer") });
  const params = { org: org.slug };
  return (
    <CommandPalette
      open
      onOpenChange={onOpenChange}
      commands={[
        ...ALL_DESTINATIONS.map(({ to, label, keys }) => ({
          id: to,
          label,
          group: "Go to",
          shortcut: keys,
          run: () => void navigate({ to, params }),
        })),
        ...(sources.data?.items ?? []).map(({ source_id, name }) => ({
          id: source_id,
          label: name,
          group: "Data sources",
          run: () =>
            void navigate({ to: "/o/$org/data-sources/$sourceId", params: { ...params, sourceId: source_id } }),
        })),
        ...session.orgs
          .filter(({ slug }) => slug !== org.slug)
          .map(({ slug, name }) => ({
            id: slug,
            label: `Switch to ${name}`,
            group: "Organizations",
            run: () => void navigate({ to: "/o/$org/data-sources", params: { org: slug } }),
          })),
        ...THEMES.map((theme) => ({
          id: `theme-${theme}`,
          label: theme === "system" ? "Theme as the system" : `Theme ${theme}`,
          group: "Appearance",
          run: () => setTheme(theme),
        })),
        { id: "shortcuts", label: "Keyboard shortcuts", group: "Help", shortcut: "?", run: onKeyboardHelp },
      ]}
    />
  );
}
