import { Bot, Database, History, KeyRound, type LucideIcon, ScrollText, UserRound, Users } from "lucide-react";

export interface Destination {
  to:
    | "/o/$org/data-sources"
    | "/o/$org/activity"
    | "/o/$org/agents"
    | "/o/$org/members"
    | "/o/$org/audit"
    | "/o/$org/api-tokens"
    | "/o/$org/profile";
  label: string;
  icon: LucideIcon;
  /** Two keys, pressed one after the other. */
  keys: string;
}

export const DESTINATIONS: { group: string; items: Destination[] }[] = [
  {
    group: "MCP",
    items: [
      { to: "/o/$org/data-sources", label: "Data sources", icon: Database, keys: "g d" },
      { to: "/o/$org/activity", label: "Activity", icon: History, keys: "g a" },
      { to: "/o/$org/agents", label: "Connected agents", icon: Bot, keys: "g c" },
    ],
  },
  {
    group: "Organization settings",
    items: [
      { to: "/o/$org/members", label: "Members", icon: Users, keys: "g m" },
      { to: "/o/$org/audit", label: "Audit", icon: ScrollText, keys: "g u" },
    ],
  },
  {
    group: "Settings",
    items: [
      { to: "/o/$org/api-tokens", label: "API tokens", icon: KeyRound, keys: "g t" },
      { to: "/o/$org/profile", label: "Profile", icon: UserRound, keys: "g p" },
    ],
  },
];

export const ALL_DESTINATIONS: Destination[] = DESTINATIONS.flatMap(({ items }) => items);
