import type { Hit } from "@svc/contract";
import { toYaml } from "@svc/platform/http";
// placeholder until the real one lands
export function trimAnswer(hits: Hit[], format: "yaml" | "json"): { body: string; count: number; truncated?: string } {
  const answer = { count: hits.length, results: hits };
  return { body: format === "json" ? JSON.stringify(answer) : toYaml(answer as never), count: hits.length };
}
