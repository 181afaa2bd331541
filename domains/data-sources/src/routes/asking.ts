import {
  type ActivitySource,
  answerSchema,
  askableSourcesSchema,
  type Caller,
  questionSchema,
  sourceParamsSchema,
} from "@svc/contract";
import {
  type Authenticator,
  callerOf,
  problems,
  requireCaller,
  sendNegotiated,
  type Server,
  wantsJson,
} from "@svc/platform/http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { admitQuestion, type Asking, askSource } from "../asking/ask-source.ts";
import type { DataSourcesContext } from "../context.ts";
import { listAskableSources } from "../list-sources.ts";
import type { AskableRow } from "../queries/askable.ts";

/** What agents, scripts and the command line ask. YAML unless JSON is asked for, problems included. */
export function askingRoutes(
  app: Server,
  { db }: Pick<DataSourcesContext, "db">,
  asking: Asking,
  authenticator: Authenticator,
): void {
  const isCaller = requireCaller(authenticator, "data:read");
  const admitted = new WeakMap<FastifyRequest, { source: AskableRow; startedAt: number }>();
  // Before the body is read: who may not ask cannot make us read what they ask, and a refusal looks the same whatever it is.
  const isAdmitted = async (request: FastifyRequest): Promise<void> => {
    const startedAt = performance.now();
    const { id } = request.params as { id: string };
    admitted.set(request, { source: await admitQuestion(asking, callerOf(request), id), startedAt });
  };

  app.get(
    "/api/wf/slim/data-sources",
    {
      onRequest: isCaller,
      onSend: sendNegotiated,
      schema: {
        summary: "Data sources that you may ask",
        response: { 200: askableSourcesSchema, ...problems(401, 403, 429, 503) },
      },
    },
    async (request) => ({ items: await listAskableSources(db, callerOf(request)) }),
  );

  app.post(
    "/api/wf/slim/data-sources/:id/query",
    {
      onRequest: [isCaller, isAdmitted],
      onSend: sendNegotiated,
      schema: {
        summary: "Ask a data source: semantic search with exact filters",
        params: sourceParamsSchema,
        body: questionSchema,
        response: { 200: answerSchema, ...problems(400, 401, 403, 404, 409, 413, 415, 429, 502, 503, 504) },
      },
    },
    async (request, reply) => {
      const question = admitted.get(request);
      if (!question) throw new Error("the question was not admitted");
      const caller = callerOf(request);
      const format = wantsJson(request.headers.accept) ? "json" : "yaml";
      const body = await askSource(asking, question.source, {
        caller,
        question: request.body,
        via: doorOf(caller, request.headers["user-agent"]),
        format,
        signal: whenGone(reply),
        startedAt: question.startedAt,
      });
      // Written and cut to size already, so nothing is left to serialize.
      return reply
        .type(`application/${format}; charset=utf-8`)
        .serializer((text: string) => text)
        .send(body as never);
    },
  );
}

function doorOf({ kind }: Caller, userAgent: string | undefined): ActivitySource {
  if (kind === "actor") return "mcp";
  return /^svc\/\d/.test(userAgent ?? "") ? "cli" : "api";
}

/** Aborts when the connection closes before the answer was sent. */
function whenGone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once("close", () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
