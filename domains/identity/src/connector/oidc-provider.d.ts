/** The part of oidc-provider that is used here; the package has no types of its own. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export interface Context {
    status: number;
    body: unknown;
    type: string;
    set(headers: Record<string, string>): void;
    oidc: {
      /** Which of its addresses is answered: authorization, resume, token, revocation. */
      route: string;
      params?: Record<string, unknown>;
      client?: Client;
      result?: { consent?: { grantId: string } };
      entities: { Interaction?: Interaction };
    };
  }

  export interface Client {
    clientId: string;
  }

  export interface Interaction {
    uid: string;
    params: Record<string, string | undefined>;
    prompt: { details: Record<string, unknown> };
  }

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    static readonly ctx: Context | undefined;
    /** Koa's: whether X-Forwarded-Proto is believed. */
    proxy: boolean;
    readonly middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[];
    readonly Grant: { find(id: string): Promise<object | undefined> };
    createContext(request: IncomingMessage, response: ServerResponse): Context;
    on(event: "server_error", listener: (context: Context, error: Error) => void): void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    /** Remembers the result and says where the browser goes on. */
    interactionResult(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<string>;
  }

  interface ProviderErrorClass {
    new (description?: string): ProviderError;
  }
  export interface ProviderError extends Error {
    error_description?: string;
    statusCode: number;
    expose: boolean;
    allow_redirect: boolean;
  }
  export const errors: Record<
    | "InvalidClient"
    | "InvalidGrant"
    | "InvalidRequest"
    | "InvalidScope"
    | "InvalidTarget"
    | "TemporarilyUnavailable"
    | "SessionNotFound",
    ProviderErrorClass
  >;

  interface Check {
    reason: string;
  }
  interface Prompt {
    name: string;
  }
  export const interactionPolicy: {
    Check: new (reason: string, description: string, error: string, isNeeded: (context: Context) => boolean) => Check;
    Prompt: new (
      info: { name: string; requestable: boolean },
      details: (context: Context) => Promise<object>,
      ...checks: Check[]
    ) => Prompt;
    base(): { clear(): void; add(prompt: Prompt): void };
  };
}
