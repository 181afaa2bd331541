import type * as Contract from "@svc/contract";
import type { z } from "zod";
import { address, queryOf } from "./address.ts";
import type { Calls } from "./call-api.ts";
import type { Page, PageQuery } from "./page.ts";

/** `org` is the id or the slug of the organization that the token is for. */
export interface OrganizationCalls {
  /** By the token of a person, who becomes its owner. */
  createOrg(org: z.input<typeof Contract.createOrgRequestSchema>): Promise<{ org: Contract.Org }>;
  getOrg(org: string): Promise<Contract.Org>;
  updateOrg(org: string, change: z.input<typeof Contract.updateOrgRequestSchema>): Promise<Contract.Org>;

  listMembers(org: string, page?: PageQuery): Promise<Page<Contract.Member>>;
  changeMember(
    org: string,
    memberId: string,
    change: z.input<typeof Contract.changeMemberRequestSchema>,
  ): Promise<Contract.Member>;
  /** Removing oneself is leaving. */
  removeMember(org: string, memberId: string): Promise<void>;

  /** Those that are still open. */
  listInvitations(org: string, page?: PageQuery): Promise<Page<Contract.Invitation>>;
  invite(org: string, invitation: z.input<typeof Contract.inviteRequestSchema>): Promise<Contract.Invitation>;
  revokeInvitation(org: string, invitationId: string): Promise<void>;

  /** Newest first. */
  listAudit(org: string, query?: PageQuery & { action?: Contract.AuditAction }): Promise<Page<Contract.AuditEntry>>;
}

export function organizationCalls({ call, perform }: Calls): OrganizationCalls {
  return {
    createOrg: (org) => call("POST /api/v1/orgs", (c) => c.createOrgResponseSchema, org),
    getOrg: async (org) => call(address`GET /api/v1/orgs/${org}`, (c) => c.orgSchema),
    updateOrg: async (org, change) => call(address`PATCH /api/v1/orgs/${org}`, (c) => c.orgSchema, change),

    listMembers: async (org, page = {}) =>
      call<Page<Contract.Member>>(address`GET /api/v1/orgs/${org}/members` + queryOf(page), (c) =>
        c.pageOf(c.memberSchema),
      ),
    changeMember: async (org, memberId, change) =>
      call(address`PATCH /api/v1/orgs/${org}/members/${memberId}`, (c) => c.memberSchema, change),
    removeMember: async (org, memberId) => perform(address`DELETE /api/v1/orgs/${org}/members/${memberId}`),

    listInvitations: async (org, page = {}) =>
      call<Page<Contract.Invitation>>(address`GET /api/v1/orgs/${org}/invitations` + queryOf(page), (c) =>
        c.pageOf(c.invitationSchema),
      ),
    invite: async (org, invitation) =>
      call(address`POST /api/v1/orgs/${org}/invitations`, (c) => c.invitationSchema, invitation),
    revokeInvitation: async (org, invitationId) =>
      perform(address`DELETE /api/v1/orgs/${org}/invitations/${invitationId}`),

    listAudit: async (org, query = {}) =>
      call<Page<Contract.AuditEntry>>(address`GET /api/v1/orgs/${org}/audit` + queryOf(query), (c) =>
        c.pageOf(c.auditEntrySchema),
      ),
  };
}
