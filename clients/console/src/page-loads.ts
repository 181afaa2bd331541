// Each page is a file of its own, loaded when it is opened.
// oxlint-disable typescript/explicit-module-boundary-types -- what a file exports is said in that file

export const PAGE_LOADS = {
  DataSourcesPage: () => import("./pages/data-sources/data-sources-page.tsx"),
  DataSourcePage: () => import("./pages/data-source/data-source-page.tsx"),
  ActivityPage: () => import("./pages/activity/activity-page.tsx"),
  AgentsPage: () => import("./pages/agents/agents-page.tsx"),
  MembersPage: () => import("./pages/members/members-page.tsx"),
  AuditPage: () => import("./pages/audit/audit-page.tsx"),
  ApiTokensPage: () => import("./pages/api-tokens/api-tokens-page.tsx"),
  ProfilePage: () => import("./pages/profile/profile-page.tsx"),
  WelcomePage: () => import("./pages/welcome/welcome-page.tsx"),
};

const BY_PATH: [RegExp, keyof typeof PAGE_LOADS][] = [
  [/^\/o\/[^/]+\/data-sources\/?$/, "DataSourcesPage"],
  [/^\/o\/[^/]+\/data-sources\//, "DataSourcePage"],
  [/^\/o\/[^/]+\/activity/, "ActivityPage"],
  [/^\/o\/[^/]+\/welcome/, "WelcomePage"],
];

/** Asks for the page of this address at once. The router would do so only when it knows who is signed in. */
export function fetchPageAhead(path: string): void {
  const name = BY_PATH.find(([pattern]) => pattern.test(path))?.[1];
  // One that cannot be loaded is reported when the router comes to it.
  if (name) PAGE_LOADS[name]().catch(() => undefined);
}
