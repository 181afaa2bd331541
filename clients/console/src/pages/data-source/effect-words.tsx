import type { Member } from "@svc/contract";
import type { ReactNode } from "react";
import { type Exposure, exposureEffect, namesAmong } from "./exposure-effect.ts";
import { listInWords } from "./list-in-words.ts";
import { whoMayAsk } from "./role-words.ts";
import { type MembersRead, useMembers } from "./use-members.ts";

interface EffectWordsProps {
  now: Exposure;
  wanted: Exposure;
  isConfigured: boolean;
}

/** What a change of the exposure means, and to whom. */
export function EffectWords({ now, wanted, isConfigured }: EffectWordsProps): ReactNode {
  const { data, isError } = useMembers();
  return (
    <div className="flex flex-col gap-2">
      {data ? <Effect {...{ now, wanted, data }} /> : <p>{isError ? inRoles(wanted) : "Counting who can ask it …"}</p>}
      {wanted.exposed && !isConfigured && (
        <p>It has no search configuration yet: until one is saved, every question is refused.</p>
      )}
    </div>
  );
}

function inRoles({ exposed, min_role }: Exposure): string {
  if (!exposed) return "Nobody will be able to ask it, and no agent.";
  return `It can be asked by: ${whoMayAsk(min_role).toLowerCase()}, and agents that they connect.`;
}

const MOST_NAMES = 8;

function Effect({ now, wanted, data }: Pick<EffectWordsProps, "now" | "wanted"> & { data: MembersRead }): ReactNode {
  const { can, gain, lose } = exposureEffect(data.members, now, wanted);
  const nameOf = namesAmong(data.members);
  const namesOf = (members: Member[]): string => listInWords(members.map(nameOf), MOST_NAMES);
  const of = `${data.isAll ? "" : "the first "}${data.members.length} ${data.members.length === 1 ? "member" : "members"}`;
  if (!wanted.exposed && !now.exposed) return <p>It stays exposed to nobody. The role counts once it is exposed.</p>;
  return (
    <>
      {can.length === 0 ? (
        <p>None of {of} will be able to ask it, and no agent.</p>
      ) : (
        <p>
          {can.length} of {of} will be able to ask it: {namesOf(can)}, and agents that they connect.
        </p>
      )}
      {gain.length > 0 && now.exposed && <p>New among them: {namesOf(gain)}.</p>}
      {lose.length > 0 && <p>No longer: {namesOf(lose)}. Their agents are refused from the next question on.</p>}
    </>
  );
}
