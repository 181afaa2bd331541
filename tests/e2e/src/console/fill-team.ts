import { expect, vi } from "vitest";
import type { Team } from "./console-stack.ts";

/** A source with rows that can be found, exposed to everyone; answers with its id. */
export async function addSampleSource({ api }: Team, name = "handbook"): Promise<string> {
  await api.createDatabase({ name, description: "Pages of the handbook" });
  await vi.waitFor(async () => expect((await api.getDatabase(name)).status).toBe("ready"), {
    timeout: 30_000,
    interval: 200,
  });
  const { source_id } = await api.loadSample(name);
  await api.exposeSource(source_id, { exposed: true, min_role: "viewer" });
  return source_id;
}
