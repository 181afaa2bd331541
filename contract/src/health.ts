import { z } from "zod";

/** `degraded` means: works, with less. It does not take a service out of rotation; `down` does. */
export const dependencyStateSchema = z.enum(["up", "degraded", "down"]);
export type DependencyState = z.infer<typeof dependencyStateSchema>;

export const readinessSchema = z.object({
  ready: z.boolean(),
  dependencies: z.record(
    z.string().max(40),
    z.object({ state: dependencyStateSchema, detail: z.string().max(500).optional() }),
  ),
});
export type Readiness = z.infer<typeof readinessSchema>;
