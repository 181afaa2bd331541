import { validateTokenRequestSchema, validateTokenResponseSchema } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { problems, type Server } from "@svc/platform/http";
import type { DB } from "./db-types.ts";
import type { TokenKeys } from "./token-keys.ts";
import { validateToken } from "./validate-token.ts";

interface IdentityRoutesOptions {
  db: Db<DB>;
  keys: TokenKeys;
}

export async function identityRoutes(app: Server, { db, keys }: IdentityRoutesOptions): Promise<void> {
  // Needs no credential but the token it is about: who holds the token learns nothing new from the answer.
  app.post(
    "/api/v1/tokens/validate",
    {
      schema: {
        summary: "Tell whom a token stands for",
        body: validateTokenRequestSchema,
        response: { 200: validateTokenResponseSchema, ...problems(400, 413, 415, 503) },
      },
    },
    ({ body }) => validateToken(db, keys, body.token),
  );
}
