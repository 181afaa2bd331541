import { SCOPES } from "@svc/contract";
import type { Server } from "@svc/platform/http";
import { MetadataRefused } from "../../connector/client-metadata.ts";
import { CLIENT_AUTH_METHODS, CLIENT_SIGNING_ALGORITHMS, PATHS } from "../../connector/create-provider.ts";
import type { Connector } from "../../connector/open-connector.ts";
import { prepareTokenForm } from "../../connector/prepare-request.ts";
import { registerClient } from "../../connector/register-client.ts";
import { sendOAuthError } from "./send-oauth-error.ts";
import { headersOf, sendProviderAnswer } from "./send-provider-answer.ts";

const METADATA = "/.well-known/oauth-authorization-server";
const PREFLIGHT_SECONDS = "3600";
const hidden = { schema: { hide: true } };

/** What agents ask, never people: JSON, for pages of every origin, without cookies. */
export async function agentRoutes(app: Server, connector: Connector): Promise<void> {
  const { context, settings } = connector;
  app.setErrorHandler(sendOAuthError);
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers({ "access-control-allow-origin": "*", "access-control-expose-headers": "www-authenticate" });
  });
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) =>
    done(null, body),
  );
  for (const path of [METADATA, PATHS.register, PATHS.token, PATHS.revoke]) {
    app.options(path, hidden, async (_request, reply) =>
      reply
        .code(204)
        .headers({
          "access-control-allow-methods": "GET, POST",
          "access-control-allow-headers": "*, authorization",
          "access-control-max-age": PREFLIGHT_SECONDS,
        })
        .send(),
    );
  }

  app.get(METADATA, hidden, async () => describeServer(settings.issuer));

  app.post(PATHS.register, hidden, async (request, reply) => {
    const { body } = request;
    if (typeof body !== "object" || body === null || Array.isArray(body)) {
      throw new MetadataRefused("invalid_client_metadata", "the body must be a JSON object");
    }
    const { properties, issuedAt } = await registerClient(context, settings, body as Record<string, unknown>);
    return reply.code(201).send({
      ...properties,
      // As they were sent: the agent looks for its own, and the port that was left out does not matter.
      redirect_uris: (body as { redirect_uris: string[] }).redirect_uris,
      client_id_issued_at: Math.floor(issuedAt.getTime() / 1_000),
      scope: SCOPES.join(" "),
    });
  });

  app.post(PATHS.token, hidden, async (request, reply) => {
    const form = typeof request.body === "string" ? prepareTokenForm(request.body, settings.resource) : "";
    if (form === undefined) {
      // Before anything is spent: the library looks at it only afterwards.
      const description = `the only resource here is ${settings.resource}`;
      return reply.code(400).send({ error: "invalid_target", error_description: description });
    }
    const asked = { method: "POST", url: PATHS.token, headers: headersOf(request), body: form } as const;
    return sendProviderAnswer(reply, await connector.answer(asked));
  });

  app.post(PATHS.revoke, hidden, async (request, reply) => {
    const body = typeof request.body === "string" ? request.body : "";
    const asked = { method: "POST", url: PATHS.revoke, headers: headersOf(request), body } as const;
    return sendProviderAnswer(reply, await connector.answer(asked));
  });
}

/** RFC 8414, with what RFC 9207 and client id metadata documents add to it. */
function describeServer(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: issuer + PATHS.authorize,
    token_endpoint: issuer + PATHS.token,
    registration_endpoint: issuer + PATHS.register,
    revocation_endpoint: issuer + PATHS.revoke,
    scopes_supported: SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    token_endpoint_auth_signing_alg_values_supported: CLIENT_SIGNING_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    revocation_endpoint_auth_signing_alg_values_supported: CLIENT_SIGNING_ALGORITHMS,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}
