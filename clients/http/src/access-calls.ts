import type * as Contract from "@svc/contract";
import type { z } from "zod";
import { address, queryOf } from "./address.ts";
import type { Calls } from "./call-api.ts";
import type { Page, ScopedPageQuery } from "./page.ts";

/** By what a person lets programs act for them: API tokens, and grants to agents. */
export interface AccessCalls {
  listApiTokens(query?: ScopedPageQuery): Promise<Page<Contract.ApiToken>>;
  /** The only answer that ever has the token itself. */
  createApiToken(
    token: z.input<typeof Contract.createApiTokenRequestSchema>,
  ): Promise<z.infer<typeof Contract.createApiTokenResponseSchema>>;
  revokeApiToken(tokenId: string): Promise<void>;

  listGrants(query?: ScopedPageQuery): Promise<Page<Contract.Grant>>;
  /** Disconnects the agent. */
  revokeGrant(grantId: string): Promise<void>;
}

export function accessCalls({ call, perform }: Calls): AccessCalls {
  return {
    listApiTokens: (query = {}) =>
      call<Page<Contract.ApiToken>>(`GET /api/v1/api-tokens${queryOf(query)}`, (c) => c.pageOf(c.apiTokenSchema)),
    createApiToken: (token) => call("POST /api/v1/api-tokens", (c) => c.createApiTokenResponseSchema, token),
    revokeApiToken: async (tokenId) => perform(address`DELETE /api/v1/api-tokens/${tokenId}`),

    listGrants: (query = {}) =>
      call<Page<Contract.Grant>>(`GET /api/v1/grants${queryOf(query)}`, (c) => c.pageOf(c.grantSchema)),
    revokeGrant: async (grantId) => perform(address`DELETE /api/v1/grants/${grantId}`),
  };
}
