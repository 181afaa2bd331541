import type { Member } from "@svc/contract";
import type { ApiClient } from "@svc/http-client";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useOrg } from "../../session/use-org.ts";

const MOST_PAGES = 5;
const PAGE_SIZE = 100;
const FRESH_MS = 60_000;

export interface MembersRead {
  members: Member[];
  /** False where the organization has more than were read. */
  isAll: boolean;
}

/** Who is in the organization, to say what a decision means to whom. */
export function useMembers(): UseQueryResult<MembersRead> {
  const { org, api } = useOrg();
  return useQuery({
    queryKey: [org.slug, "members", "all"],
    queryFn: () => readMembers(api, org.slug),
    staleTime: FRESH_MS,
  });
}

async function readMembers(api: ApiClient, org: string): Promise<MembersRead> {
  const members: Member[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { items, next_cursor } = await api.listMembers(org, { limit: PAGE_SIZE, ...(cursor && { cursor }) });
    members.push(...items);
    if (next_cursor === null) return { members, isAll: true };
    cursor = next_cursor;
  }
  return { members, isAll: false };
}
