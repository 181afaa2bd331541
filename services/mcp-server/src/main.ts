import { runService } from "@svc/platform/service";
import { mountMcp } from "./mount-mcp.ts";
import { mcpServerSettings } from "./settings.ts";

await runService("mcp-server", mcpServerSettings, async ({ config, readiness, createServer }) => {
  for (const [name, url] of [
    ["api-gateway", config.API_GATEWAY_URL],
    ["auth-service", config.AUTH_SERVICE_URL],
  ] as const) {
    readiness.add(name, async () => {
      // Any answer will do: what it depends on itself is in its own readiness.
      await fetch(new URL("/openapi.json", url), { signal: AbortSignal.timeout(1_500) });
      return "up" as const;
    });
  }
  const app = await createServer("svc MCP server", {
    // Every agent begins by calling without a token, to be told where to get one: that is no bad credential.
    isFromOurService: async ({ headers }) => headers.authorization === undefined,
  });
  await mountMcp(app, config);
  return app;
});
