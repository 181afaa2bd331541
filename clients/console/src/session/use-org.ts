import type { Session, SessionOrg } from "@svc/contract";
import type { ApiClient } from "@svc/http-client";
import { getRouteApi } from "@tanstack/react-router";

export interface OrgContext {
  org: SessionOrg;
  session: Session;
  api: ApiClient;
}

const route = getRouteApi("/o/$org");

/** The organization that is worked in, the person, and the API as that person has it there. */
export function useOrg(): OrgContext & { user: Session["user"] } {
  const { org, session, api } = route.useRouteContext();
  return { org, session, api, user: session.user };
}
