import { listSetting, urlSetting } from "@svc/platform/config";
import { authServiceUrlSetting, keySetting, serviceSettings } from "@svc/platform/service";
import { z } from "zod";

const RESOURCE_EXAMPLE = "https://mcp.example.com/platform";

const ISSUER_EXAMPLE = "https://auth.example.com";

const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/** The identifier that agents' tokens are made out to, so there is one way to write it. */
function isResourceUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { href, protocol, hostname, pathname, search, hash, username } = new URL(value);
  const isSafe = protocol === "https:" || (protocol === "http:" && LOOPBACK_HOSTS.includes(hostname));
  return isSafe && href === value && pathname === "/platform" && search === "" && hash === "" && username === "";
}

function isBareAddress(value: string): boolean {
  return !URL.canParse(value) || new URL(value).href === `${new URL(value).origin}/`;
}

const hostSetting = z.string().regex(/^(\[[0-9a-f:]+\]|[a-z0-9.-]+)$/, "must be host names without port");

const declared = serviceSettings.extend({
  API_GATEWAY_URL: urlSetting(["http:", "https:"], "http://api-gateway:8080"),
  AUTH_SERVICE_URL: authServiceUrlSetting,
  /** Where agents reach this service, as they write it. */
  MCP_RESOURCE_URL: z
    .string(`is missing; for example ${RESOURCE_EXAMPLE}`)
    .refine(isResourceUrl, `must be like ${RESOURCE_EXAMPLE}: https, the path /platform and no slash at the end`),
  /** Who issues agents' tokens, as it names itself. Without it only API tokens and user tokens are let in. */
  CONNECTOR_ISSUER: urlSetting(["http:", "https:"], ISSUER_EXAMPLE)
    .refine(isBareAddress, `must be a bare address like ${ISSUER_EXAMPLE}`)
    .transform((value) => new URL(value).origin)
    .optional(),
  /** The auth service's own JWT_SECRET. */
  JWT_SECRET: keySetting.optional(),
  ACTOR_ASSERTION_SECRET: keySetting,
  /** Further names by which this service is called, such as one inside a cluster. */
  MCP_ALLOWED_HOSTS: listSetting(hostSetting).optional(),
  /** Hosts of web pages that may call this service from a browser. */
  MCP_ALLOWED_ORIGINS: listSetting(hostSetting).optional(),
  /** A page that tells people how to connect an agent. */
  MCP_DOCUMENTATION_URL: urlSetting(["https:"], "https://docs.example.com/connect").optional(),
  // An agent whose token has just expired shows it once more, and many agents of one vendor share an address.
  BAD_CREDENTIALS_PER_MINUTE: z.coerce.number("must be from 10 to 1000000").int().min(10).max(1_000_000).default(1_000),
});

const refuseHalfSet: Parameters<typeof declared.superRefine>[0] = (config, { addIssue }) => {
  const refuse = (setting: string, message: string): void => addIssue({ code: "custom", path: [setting], message });
  const { CONNECTOR_ISSUER: issuer, JWT_SECRET: jwtSecret } = config;
  if (issuer && !jwtSecret) refuse("JWT_SECRET", "is missing, though CONNECTOR_ISSUER is set");
  if (jwtSecret && !issuer) refuse("CONNECTOR_ISSUER", "is missing, though JWT_SECRET is set");
  if (jwtSecret && jwtSecret === config.ACTOR_ASSERTION_SECRET) {
    refuse("ACTOR_ASSERTION_SECRET", "must be another than JWT_SECRET; make one with: openssl rand -hex 32");
  }
};

// Also when other settings are wrong, so that all are named at once.
export const mcpServerSettings = declared.superRefine(refuseHalfSet, { when: () => true });

export type McpServerSettings = z.infer<typeof declared>;

/** Loopback always: a request that names it comes from this machine, or through a tunnel that its owner opened. */
export function allowedNames(resourceUrl: string, further: string[] | undefined): string[] {
  return [...LOOPBACK_HOSTS, new URL(resourceUrl).hostname, ...(further ?? [])];
}
