import { validateTokenRequestSchema, validateTokenResponseSchema } from "@svc/contract";
import { noteFailure, problems, type Server } from "@svc/platform/http";
import type { IdentityContext } from "../context.ts";
import { validateToken, type WorkloadTokens } from "../validate-token.ts";
import type { Guard } from "./guard.ts";

export function tokenRoutes(app: Server, context: IdentityContext, guard: Guard, workloads?: WorkloadTokens): void {
  // Needs no credential but the token it is about: who holds the token learns nothing new from the answer.
  app.post(
    "/api/v1/tokens/validate",
    {
      onRequest: guard("POST /api/v1/tokens/validate"),
      schema: {
        summary: "Tell whom a token stands for",
        body: validateTokenRequestSchema,
        response: { 200: validateTokenResponseSchema, ...problems(400, 413, 415, 429, 503) },
      },
    },
    async (request) => {
      const validation = await validateToken(context, request.body.token, workloads);
      if (!validation.valid) noteFailure(request);
      return validation;
    },
  );
}
