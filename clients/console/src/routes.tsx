import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { PAGE_LOADS } from "./page-loads.ts";
import { sessionQuery, leaveFor } from "./session/load-session.ts";
import { orgApi } from "./session/org-api.ts";
import { SIGNED_IN_PATH } from "./session/sign-in.ts";
import { SignedInPage } from "./session/signed-in-page.tsx";
import { LoadFailedPage } from "./shell/load-failed-page.tsx";
import { NothingHere, NotFoundPage } from "./shell/not-found-page.tsx";
import { Shell } from "./shell/shell.tsx";
import { rememberOrg, rememberedOrg } from "./shell/remembered-org.ts";
import { readActivitySearch } from "./pages/activity/activity-search.ts";
import { readAuditSearch } from "./pages/audit/audit-search.ts";
import { readSourceSearch } from "./pages/data-source/source-tab.ts";
import { readSourcesSearch } from "./pages/data-sources/sources-search.ts";

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Outlet,
  errorComponent: LoadFailedPage,
  notFoundComponent: NotFoundPage,
});

const start = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: async ({ context }) => {
    const { org, orgs } = await context.queries.ensureQueryData(sessionQuery);
    const last = orgs.find(({ slug }) => slug === rememberedOrg()) ?? org;
    // A page of the auth service, which makes one or says how to be invited.
    if (!last) return leaveFor("/auth/no-organization");
    throw redirect({ to: "/o/$org/data-sources", params: { org: last.slug }, replace: true });
  },
});

const signedIn = createRoute({ getParentRoute: () => root, path: SIGNED_IN_PATH, component: SignedInPage });

const inOrg = createRoute({
  getParentRoute: () => root,
  path: "/o/$org",
  beforeLoad: async ({ context, params }) => {
    const session = await context.queries.ensureQueryData(sessionQuery);
    const org = [session.org, ...session.orgs].find((each) => each?.slug === params.org);
    if (org) rememberOrg(org.slug);
    // The frame says so when it is none of theirs; nothing below it is asked for then.
    return {
      session,
      org: org ?? { id: "org_", slug: params.org, name: params.org, role: "viewer" as const },
      isMember: org !== undefined,
      api: orgApi(params.org),
    };
  },
  component: Shell,
  notFoundComponent: NothingHere,
});

const orgStart = createRoute({
  getParentRoute: () => inOrg,
  path: "/",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/o/$org/data-sources", params, replace: true });
  },
});

const dataSources = createRoute({
  getParentRoute: () => inOrg,
  path: "/data-sources",
  validateSearch: readSourcesSearch,
  component: lazyRouteComponent(PAGE_LOADS.DataSourcesPage, "DataSourcesPage"),
});
const dataSource = createRoute({
  getParentRoute: () => inOrg,
  path: "/data-sources/$sourceId",
  validateSearch: readSourceSearch,
  component: lazyRouteComponent(PAGE_LOADS.DataSourcePage, "DataSourcePage"),
});
const activity = createRoute({
  getParentRoute: () => inOrg,
  path: "/activity",
  validateSearch: readActivitySearch,
  component: lazyRouteComponent(PAGE_LOADS.ActivityPage, "ActivityPage"),
});
const agents = createRoute({
  getParentRoute: () => inOrg,
  path: "/agents",
  component: lazyRouteComponent(PAGE_LOADS.AgentsPage, "AgentsPage"),
});
const members = createRoute({
  getParentRoute: () => inOrg,
  path: "/members",
  component: lazyRouteComponent(PAGE_LOADS.MembersPage, "MembersPage"),
});
const audit = createRoute({
  getParentRoute: () => inOrg,
  path: "/audit",
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(PAGE_LOADS.AuditPage, "AuditPage"),
});
const apiTokens = createRoute({
  getParentRoute: () => inOrg,
  path: "/api-tokens",
  component: lazyRouteComponent(PAGE_LOADS.ApiTokensPage, "ApiTokensPage"),
});
const profile = createRoute({
  getParentRoute: () => inOrg,
  path: "/profile",
  component: lazyRouteComponent(PAGE_LOADS.ProfilePage, "ProfilePage"),
});
const welcome = createRoute({
  getParentRoute: () => inOrg,
  path: "/welcome",
  component: lazyRouteComponent(PAGE_LOADS.WelcomePage, "WelcomePage"),
});

const patterns =
  import.meta.env.MODE === "production"
    ? []
    : [
        createRoute({
          getParentRoute: () => root,
          path: "/patterns",
          component: lazyRouteComponent(() => import("./patterns/patterns-page.tsx"), "PatternsPage"),
        }),
      ];

const pages = [orgStart, dataSources, dataSource, activity, agents, members, audit, apiTokens, profile, welcome];
const tree = root.addChildren([start, signedIn, inOrg.addChildren(pages), ...patterns]);

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the type is the table above
export const createConsoleRouter = (queries: QueryClient) =>
  createRouter({
    routeTree: tree,
    context: { queries },
    defaultPreload: "intent",
    scrollRestoration: true,
    defaultErrorComponent: LoadFailedPage,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
