import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from "fastify";
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import { AppError } from "../errors/index.ts";
import type { Logger } from "../telemetry/index.ts";
import { observeRequests } from "./observe-requests.ts";
import { serveOpenApi } from "./openapi.ts";
import { sendProblem } from "./problem.ts";
import { exemptFromThrottle, type FailureLimit, throttleFailures } from "./throttle-failures.ts";

export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export interface ServerOptions {
  log: Logger;
  title: string;
  bodyLimitBytes?: number;
  /** False turns nobody away, for tests that show bad credentials by the thousand. */
  failureLimit?: FailureLimit | false;
  /** Lets a request that a service of ours makes go by the throttle. */
  isFromOurService?: (request: FastifyRequest) => Promise<boolean>;
  /** Proxies whose X-Forwarded-For is believed; none unless named. */
  trustedProxies?: string;
  /** True while the process is about to stop: connections are closed after their answer. */
  isDraining?: () => boolean;
}

const SECURITY_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff",
};

/** An id given by a proxy in front is kept, so that its log and ours meet. */
const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;

export async function createServer({
  log,
  title,
  bodyLimitBytes = 256 * 1_024,
  isDraining = () => false,
  trustedProxies,
  failureLimit,
  isFromOurService,
}: ServerOptions): Promise<Server> {
  const logger: FastifyBaseLogger = log;
  const addHeaders = (request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers({ ...SECURITY_HEADERS, "x-request-id": request.id });
    if (isDraining()) reply.header("connection", "close");
  };
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request_id" }),
    genReqId: (request) => {
      const given = request.headers["x-request-id"];
      return typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID();
    },
    bodyLimit: bodyLimitBytes,
    trustProxy: trustedProxies ?? false,
    routerOptions: { maxParamLength: 200 },
    requestTimeout: 30_000,
    // Longer than the 60 s of common load balancers, so that it is never us who close a connection under a request.
    keepAliveTimeout: 75_000,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    // An address that the router cannot read meets no hook and no error handler.
    frameworkErrors: (error, request, reply) => {
      addHeaders(request, reply);
      void sendProblem(error, request, reply);
    },
  }).withTypeProvider<ZodTypeProvider>();

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  // Fastify reads plain text by itself; every body here is JSON.
  app.removeContentTypeParser("text/plain");
  app.addHook("onRequest", async (request, reply) => addHeaders(request, reply));
  observeRequests(app);
  if (failureLimit !== false) {
    app.addHook("onRequest", async (request) => {
      if (await isFromOurService?.(request)) exemptFromThrottle(request);
    });
    throttleFailures(app, failureLimit);
  }
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler((request, reply) =>
    sendProblem(new AppError("NOT_FOUND", "No such address."), request, reply),
  );
  await serveOpenApi(app, title);
  return app;
}
