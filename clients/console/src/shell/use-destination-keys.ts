import { useNavigate } from "@tanstack/react-router";
import { useHotkey } from "../components/use-hotkey.ts";
import { useOrg } from "../session/use-org.ts";
import { ALL_DESTINATIONS, type Destination } from "./destinations.ts";

/** Each page by two keys, one after the other. The list is fixed, so the hooks always come in the same order. */
export function useDestinationKeys(): void {
  const { org } = useOrg();
  const navigate = useNavigate();
  const go = ({ to }: Destination): void => void navigate({ to, params: { org: org.slug } });
  // oxlint-disable-next-line react-hooks/rules-of-hooks
  for (const destination of ALL_DESTINATIONS) useHotkey(destination.keys, () => go(destination));
}
