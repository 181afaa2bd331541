export { counter, durationHistogram, observeGauge } from "./instruments.ts";
export { createLogger, type Logger } from "./logger.ts";
export { startTelemetry, type Telemetry } from "./start-telemetry.ts";
