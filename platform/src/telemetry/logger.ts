import { isSpanContextValid, trace } from "@opentelemetry/api";
import { type Logger, pino } from "pino";

export type { Logger } from "pino";

/** Names under which a secret could reach a log by mistake, at the top or one level down. */
const SECRET_KEYS = ["authorization", "cookie", "password", "token", "secret", "client_secret", "refresh_token"];

interface LoggerOptions {
  service: string;
  level: string;
  /** Where lines go; standard output unless a test reads them. */
  destination?: { write(line: string): void };
}

export function createLogger({ service, level, destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`]), censor: "[redacted]" },
      mixin: currentTrace,
    },
    // Many lines in one write, a tenth of a second late at most; what is left is written when the process ends.
    destination ?? pino.destination({ sync: false, minLength: 4_096, periodicFlush: 100 }),
  );
}

function currentTrace(): { trace_id: string; span_id: string } | Record<string, never> {
  const span = trace.getActiveSpan()?.spanContext();
  return span && isSpanContextValid(span) ? { trace_id: span.traceId, span_id: span.spanId } : {};
}
