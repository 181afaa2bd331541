import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import { createServer, type Server, type ServerOptions } from "../http/index.ts";
import { createLogger, type Logger, startTelemetry } from "../telemetry/index.ts";
import { type OpsPage, startOpsServer } from "./ops-server.ts";
import { exitOnConfigError, readConfigOrExit } from "./read-config-or-exit.ts";
import { createReadiness, type ReadinessChecks } from "./readiness.ts";
import type { ServiceSettings } from "./settings.ts";

export interface ServiceContext<Config> {
  config: Config;
  log: Logger;
  readiness: ReadinessChecks;
  /** Called once, when requests have ended, in the reverse order of registration. */
  onStop(close: () => Promise<unknown>): void;
  /** A read-only page on the operator's port. */
  addOpsPage(path: string, page: OpsPage): void;
  /** The service's HTTP server, for those that have one. */
  createServer(title: string, options?: Pick<ServerOptions, "isFromOurService">): Promise<Server>;
}

/**
 * The life of a service: read settings, start, serve, and on SIGTERM say so, drain, stop. `start` returns the
 * HTTP server to listen with, or nothing where the service has none.
 */
export async function runService<S extends z.ZodObject>(
  name: string,
  settings: S,
  start: (context: ServiceContext<z.infer<S>>) => Promise<Server | undefined>,
): Promise<void> {
  const config = readConfigOrExit(name, settings);
  const base = config as unknown as ServiceSettings;
  const log = createLogger({ service: name, level: base.LOG_LEVEL });
  const telemetry = startTelemetry({
    service: name,
    traceUrl: base.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
    traceSampleRatio: base.TRACE_SAMPLE_RATIO,
  });
  let draining = false;
  const isDraining = (): boolean => draining;
  const readiness = createReadiness(isDraining);
  const pages = new Map<string, OpsPage>();
  const closers: (() => Promise<unknown>)[] = [];
  exitOnUnexpectedErrors(log);

  const ops = await startOpsServer({ host: base.HOST, port: base.OPS_PORT, telemetry, readiness, pages });
  const app = await startOrExit(name, start, {
    config,
    log,
    readiness,
    onStop: (close) => void closers.unshift(close),
    addOpsPage: (path, page) => void pages.set(path, page),
    createServer: (title, options) =>
      createServer({
        log,
        title,
        isDraining,
        trustedProxies: base.TRUSTED_PROXIES,
        failureLimit: { failures: base.BAD_CREDENTIALS_PER_MINUTE, perSeconds: 60 },
        ...options,
      }),
  });
  await app?.listen({ host: base.HOST, port: base.PORT, listenTextResolver: (address) => `started at ${address}` });
  if (!app) log.info("started");

  const stop = async (signal: string): Promise<void> => {
    if (draining) return;
    draining = true;
    log.info({ signal }, "stopping");
    setTimeout(
      () => {
        log.error("did not stop in time; cutting off");
        process.exit(1);
      },
      (base.DRAIN_SECONDS + base.STOP_SECONDS) * 1_000,
    ).unref();
    // Answers still come meanwhile and end their connections, so that no request meets a closing socket.
    if (app) await sleep(base.DRAIN_SECONDS * 1_000);
    await app?.close();
    for (const close of closers)
      await close().catch((error: unknown) => log.warn({ err: error }, "did not close cleanly"));
    ops.close();
    ops.closeAllConnections();
    await telemetry.stop();
    log.info("stopped");
    log.flush(() => process.exit(0));
  };
  process.once("SIGTERM", () => void stop("SIGTERM"));
  process.once("SIGINT", () => void stop("SIGINT"));
}

/** Some settings can be judged only together, by the part that they are for. */
async function startOrExit<Config>(
  name: string,
  start: (context: ServiceContext<Config>) => Promise<Server | undefined>,
  context: ServiceContext<Config>,
): Promise<Server | undefined> {
  return start(context).catch((error: unknown) => exitOnConfigError(name, error));
}

/** State after an unexpected error is unknown; a fresh process is not. */
function exitOnUnexpectedErrors(log: Logger): void {
  const exit = (error: unknown): void => {
    log.fatal({ err: error }, "unexpected error");
    log.flush(() => process.exit(1));
  };
  process.on("uncaughtException", exit);
  process.on("unhandledRejection", exit);
}
