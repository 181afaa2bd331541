import { connectorTokenKey } from "@svc/platform/http";
import type { Provider } from "oidc-provider";
import type { IdentityContext } from "../context.ts";
import { createProvider } from "./create-provider.ts";
import { type Clients, createClients } from "./find-client.ts";
import { createGuardedFetch, type FetchGuard } from "./guarded-fetch.ts";
import { createDocumentReader } from "./metadata-document.ts";
import { inOneRequest } from "./one-request.ts";
import { createRunner, type ProviderAnswer, type ProviderRequest } from "./run-provider.ts";
import type { ConnectorSettings } from "./settings.ts";

interface ConnectorOptions {
  context: IdentityContext;
  settings: ConnectorSettings;
  /** Shared with the MCP server, which checks by it what is signed here. */
  jwtSecret: string;
  /** For tests: where metadata documents may come from. */
  guard?: FetchGuard;
}

/** The authorization server for agents, without its addresses. */
export interface Connector {
  context: IdentityContext;
  settings: ConnectorSettings;
  provider: Provider;
  clients: Clients;
  answer(request: ProviderRequest): Promise<ProviderAnswer>;
  close(): Promise<void>;
}

export function openConnector({ context, settings, jwtSecret, guard }: ConnectorOptions): Connector {
  const guardedFetch = createGuardedFetch(guard);
  const clients = createClients(context, createDocumentReader(guardedFetch));
  const accessTokenKey = connectorTokenKey(jwtSecret);
  const provider = createProvider({ context, settings, accessTokenKey, clients, guardedFetch });
  const run = createRunner(provider, settings.issuer);
  return {
    context,
    settings,
    provider,
    clients,
    answer: (request) => inOneRequest(context, () => run(request)),
    close: guardedFetch.close,
  };
}
