import { urlSetting } from "@svc/platform/config";
import { runService, serviceSettings } from "@svc/platform/service";

const settings = serviceSettings.extend({
  API_GATEWAY_URL: urlSetting(["http:", "https:"], "http://api-gateway:8080"),
});

await runService("mcp-server", settings, async ({ config, readiness, createServer }) => {
  readiness.add("api-gateway", async () => {
    // Any answer will do: what the gateway itself depends on is in its own readiness.
    await fetch(new URL("/openapi.json", config.API_GATEWAY_URL), { signal: AbortSignal.timeout(1_500) });
    return "up" as const;
  });
  return createServer("svc MCP server");
});
