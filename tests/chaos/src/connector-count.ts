import type { Grant, Id } from "@svc/contract";
import { idFromUuid } from "@svc/platform/ids";
import pg from "pg";
import { callApi, type World } from "./connector-world.ts";

/** Grants that live, by what is told and by what is kept. */
export interface LiveGrants {
  listed: Set<string>;
  kept: Set<string>;
  /** Beyond one for each person and client. */
  seconds: number;
  /** Refresh tokens of a grant that nobody has used yet. */
  unusedRefreshTokens: Map<string, number>;
}

export async function countLiveGrants({ base, orgs, stack }: World): Promise<LiveGrants> {
  const listed = new Set<string>();
  for (const { ownerToken } of orgs) {
    for (const id of await listGrants(base, ownerToken)) listed.add(id);
  }
  const client = new pg.Client({ connectionString: stack.databaseUrls.identity });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string; nth: number; unused: number }>(`
      select id, row_number() over (partition by org_id, user_id, client_id order by id)::int as nth,
        (select count(*)::int from identity.connector_artifacts
         where model = 'RefreshToken' and grant_id = granted.id and consumed_at is null) as unused
      from identity.platform_access_grants as granted where revoked_at is null and expires_at > now()`);
    const toId = (uuid: string): Id<"grt"> => idFromUuid("grt", uuid);
    return {
      listed,
      kept: new Set(rows.map(({ id }) => toId(id))),
      seconds: rows.filter(({ nth }) => nth > 1).length,
      unusedRefreshTokens: new Map(rows.map(({ id, unused }) => [toId(id), unused])),
    };
  } finally {
    await client.end();
  }
}

async function listGrants(base: string, ownerToken: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query = new URLSearchParams({ scope: "org", limit: "100", ...(cursor && { cursor }) });
    const page: { items: Grant[]; next_cursor: string | null } = await callApi(
      base,
      ownerToken,
      "GET",
      `/api/v1/grants?${query.toString()}`,
    );
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  return ids;
}
