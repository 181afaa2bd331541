import type { Role } from "@svc/contract";

/**
 * Who may use a route. A role: members of the organization with at least it. `person`: anyone who signed in, in an
 * organization or not. `operator`: who runs the service, by a credential of its own. `anyone`: no credential.
 */
export type Access = Role | "person" | "operator" | "anyone";

/** The whole of it. A route that is not here cannot be registered. */
export const ROUTE_ACCESS = {
  "POST /api/v1/tokens/validate": "anyone",
  "POST /api/v1/orgs": "person",
  "GET /api/v1/orgs/:org": "viewer",
  "PATCH /api/v1/orgs/:org": "owner",
  "GET /api/v1/orgs/:org/members": "viewer",
  "PATCH /api/v1/orgs/:org/members/:member": "owner",
  // Below owner a member may remove nobody but themselves.
  "DELETE /api/v1/orgs/:org/members/:member": "viewer",
  "GET /api/v1/orgs/:org/invitations": "owner",
  "POST /api/v1/orgs/:org/invitations": "owner",
  "DELETE /api/v1/orgs/:org/invitations/:invitation": "owner",
  "GET /api/v1/orgs/:org/audit": "admin",
  // Everyone sees and revokes their own; those of others need admin.
  "GET /api/v1/api-tokens": "viewer",
  "POST /api/v1/api-tokens": "viewer",
  "DELETE /api/v1/api-tokens/:token": "viewer",
  // The same for the agents that people have connected.
  "GET /api/v1/grants": "viewer",
  "DELETE /api/v1/grants/:grant": "viewer",
  "POST /api/v1/admin/orgs": "operator",
  "POST /api/v1/admin/orgs/:org/support-sessions": "operator",
  "POST /api/v1/admin/orgs/:org/support-sessions/:session/elevate": "operator",
  "POST /api/v1/admin/orgs/:org/support-sessions/:session/end": "operator",
} as const satisfies Record<string, Access>;

export type GuardedRoute = keyof typeof ROUTE_ACCESS;
