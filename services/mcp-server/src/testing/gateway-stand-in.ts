import {
  type AskableSource,
  askableSourcesSchema,
  type Answer,
  type Caller,
  questionSchema,
  type Question,
  sourceParamsSchema,
} from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import { callerOf, createAuthenticator, createServer, requireCaller } from "@svc/platform/http";
import { silentLogger } from "@svc/platform/testing";

export interface GatewayStandIn {
  url: string;
  /** Every byte that arrived. */
  bytes(): string;
  /** The credentials of each request, in order. */
  credentials: string[];
  asked: { caller: Caller; sourceId: string; question: Question; headers: Record<string, unknown> }[];
  /** What questions are answered with. */
  answer: (question: Question) => Answer | Promise<Answer>;
  sources: AskableSource[];
  /** Requests whose caller did not wait for the answer. */
  givenUp: number;
  /** Drops what was kept of the requests so far. */
  forget(): void;
  close(): Promise<void>;
}

export const HANDBOOK: AskableSource = {
  id: "db_handbook",
  name: "handbook",
  min_role: "viewer",
  filters: { team: "string", year: "number" },
  targets: ["pages", "faq"],
  description: "How we work",
};

export const HITS: Answer = {
  count: 2,
  results: [
    { id: "7", title: "Refunds", metadata: { team: "support", year: 2026, _score: 0.91, _target: "pages" } },
    { id: "8", title: null, metadata: { body: 'A "quoted" line\nand another', _score: 0.5, _target: "faq" } },
  ],
};

/** The gateway's own server, authentication and contract, with answers that a test decides. */
export async function startGatewayStandIn(authServiceUrl: string): Promise<GatewayStandIn> {
  const app = await createServer({ log: silentLogger(), title: "gateway stand-in", failureLimit: false });
  const isCaller = requireCaller(createAuthenticator({ authServiceUrl }), "data:read");
  let bytes = "";
  app.server.on("connection", (socket) => socket.on("data", (chunk) => (bytes += chunk.toString("latin1"))));
  app.addHook("onRequest", async ({ headers }) => {
    standIn.credentials.push(headers.authorization ?? "");
  });
  app.addHook("onRequest", async (_request, reply) => {
    reply.raw.once("close", () => {
      if (!reply.raw.writableFinished) standIn.givenUp += 1;
    });
  });
  app.get(
    "/api/wf/slim/data-sources",
    { onRequest: isCaller, schema: { response: { 200: askableSourcesSchema } } },
    async () => ({ items: standIn.sources }),
  );
  app.post(
    "/api/wf/slim/data-sources/:id/query",
    { onRequest: isCaller, schema: { params: sourceParamsSchema, body: questionSchema } },
    async (request) => {
      const { id: sourceId } = request.params;
      if (!standIn.sources.some(({ id }) => id === sourceId)) {
        throw new AppError("NOT_FOUND", "No such data source, or it is not exposed. List those you may ask.");
      }
      standIn.asked.push({
        caller: callerOf(request),
        sourceId,
        question: request.body,
        headers: { ...request.headers },
      });
      return standIn.answer(request.body);
    },
  );
  const standIn: GatewayStandIn = {
    url: await app.listen({ host: "127.0.0.1", port: 0 }),
    bytes: () => bytes,
    credentials: [],
    asked: [],
    answer: () => HITS,
    sources: [HANDBOOK],
    givenUp: 0,
    forget: () => {
      bytes = "";
      standIn.credentials.length = 0;
      standIn.asked.length = 0;
    },
    close: () => app.close(),
  };
  return standIn;
}
