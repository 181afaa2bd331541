import { isIP } from "node:net";
import { z } from "zod";
import { portSetting, urlSetting } from "../config/index.ts";

/** What every service can be told. */
export const serviceSettings = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: portSetting(8080),
  /** Health, readiness and metrics. Apart from PORT, so that no ingress can publish them by mistake. */
  OPS_PORT: portSetting(9090),
  /** Proxies whose word about the caller's address is taken: addresses, ranges, or loopback, linklocal, uniquelocal. */
  TRUSTED_PROXIES: z
    .string()
    .max(1_000)
    .refine(
      (value) => value.split(",").every((part) => isProxyRange(part.trim())),
      "must be addresses, ranges such as 10.0.0.0/8, loopback, linklocal or uniquelocal, comma-separated",
    )
    .default("loopback"),
  /** Bad credentials that one address may show in a minute. Raise it where many people share an address. */
  BAD_CREDENTIALS_PER_MINUTE: z.coerce
    .number("must be from 10 to 1000000")
    .int("must be a whole number")
    .min(10, "must be from 10 to 1000000")
    .max(1_000_000, "must be from 10 to 1000000")
    .default(100),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error"], "must be debug, info, warn or error").default("info"),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: urlSetting(["http:", "https:"], "http://collector:4318/v1/traces").optional(),
  TRACE_SAMPLE_RATIO: z.coerce
    .number("must be from 0 to 1")
    .min(0, "must be from 0 to 1")
    .max(1, "must be from 0 to 1")
    .default(1),
  /** After SIGTERM the service still answers for this long, while the load balancer learns that it goes. */
  DRAIN_SECONDS: z.coerce
    .number("must be from 0 to 120")
    .min(0, "must be from 0 to 120")
    .max(120, "must be from 0 to 120")
    .default(3),
  /** What is still running this long after that is cut off. */
  STOP_SECONDS: z.coerce
    .number("must be from 1 to 300")
    .min(1, "must be from 1 to 300")
    .max(300, "must be from 1 to 300")
    .default(20),
});

export type ServiceSettings = z.infer<typeof serviceSettings>;

function isProxyRange(text: string): boolean {
  if (["loopback", "linklocal", "uniquelocal"].includes(text)) return true;
  const [address = "", bits, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
