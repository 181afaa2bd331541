import { urlSetting } from "@svc/platform/config";
import { z } from "zod";
import { isSafeWebUrl } from "../sign-in/redirect-target.ts";
import { canonicalResource } from "./canonical-resource.ts";

const webUrl = (example: string): z.ZodType<string, string> =>
  urlSetting(["https:", "http:"], example).refine(
    (value) => !URL.canParse(value) || isSafeWebUrl(new URL(value)),
    "must use https, or http on this machine, and have no name or password in it",
  );

const limit = (most: number): z.ZodType<number> =>
  z.coerce
    .number("must be a whole number from 1 to 100000")
    .int("must be a whole number from 1 to 100000")
    .min(1, "must be a whole number from 1 to 100000")
    .max(100_000, "must be a whole number from 1 to 100000")
    .default(most);

/** What the authorization server for agents can be told. Without an issuer there is none. */
export const connectorSettings = {
  /** Where agents find this service. */
  CONNECTOR_ISSUER: webUrl("https://auth.example.com")
    .refine(
      (value) => !URL.canParse(value) || new URL(value).href === `${new URL(value).origin}/`,
      "must be a bare address like https://auth.example.com, without a path",
    )
    .optional(),
  /** What their access is for: the address of the MCP endpoint, as it is set there. */
  MCP_RESOURCE_URL: webUrl("https://mcp.example.com/platform")
    .refine((value) => !/[?#]/.test(value), "must have no query and no fragment")
    .optional(),
  /** Agents that registered by themselves and are in use, in all and for one origin that they redirect to. */
  CONNECTOR_CLIENTS: limit(100),
  CONNECTOR_CLIENTS_PER_ORIGIN: limit(5),
};
type ConnectorConfig = z.infer<z.ZodObject<typeof connectorSettings>>;

export interface ConnectorSettings {
  /** An origin, without a slash at the end. */
  issuer: string;
  /** In its one canonical form. */
  resource: string;
  clientLimits: { inAll: number; perOrigin: number };
}

interface Issues {
  addIssue(issue: { code: "custom"; path: string[]; message: string }): void;
}

/** For `superRefine`: the two addresses are good for nothing alone. */
export function refuseHalfSetConnector(config: Partial<ConnectorConfig>, issues: Issues): void {
  const missing = (setting: string, because: string): void =>
    issues.addIssue({ code: "custom", path: [setting], message: `is missing, though ${because} is set` });
  if (config.CONNECTOR_ISSUER && !config.MCP_RESOURCE_URL) missing("MCP_RESOURCE_URL", "CONNECTOR_ISSUER");
  if (config.MCP_RESOURCE_URL && !config.CONNECTOR_ISSUER) missing("CONNECTOR_ISSUER", "MCP_RESOURCE_URL");
}

/** Undefined where agents cannot connect. */
export function readConnectorSettings(config: ConnectorConfig): ConnectorSettings | undefined {
  if (!config.CONNECTOR_ISSUER || !config.MCP_RESOURCE_URL) return undefined;
  return {
    issuer: new URL(config.CONNECTOR_ISSUER).origin,
    resource: canonicalResource(config.MCP_RESOURCE_URL),
    clientLimits: { inAll: config.CONNECTOR_CLIENTS, perOrigin: config.CONNECTOR_CLIENTS_PER_ORIGIN },
  };
}
