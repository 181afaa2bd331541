import type { ReactNode } from "react";
import { type Exposure, exposureEffect, namesAmong } from "./exposure-effect.ts";
import { listInWords } from "./list-in-words.ts";
import { whoMayAsk } from "./role-words.ts";
import { useMembers } from "./use-members.ts";

const MOST_NAMES = 5;

/** Who can ask as things are. */
export function WhoCanAsk({ now }: { now: Exposure }): ReactNode {
  const { data } = useMembers();
  if (!now.exposed) return "Nobody can ask it.";
  if (!data) return `Can be asked by: ${whoMayAsk(now.min_role).toLowerCase()}.`;
  const { can } = exposureEffect(data.members, now, now);
  const of = data.isAll ? `${data.members.length}` : `the first ${data.members.length}`;
  if (can.length === 0) return `None of ${of} members can ask it.`;
  const names = listInWords(can.map(namesAmong(data.members)), MOST_NAMES);
  return `${can.length} of ${of} members can ask it: ${names}.`;
}
