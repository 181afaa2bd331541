import { defineJob } from "@svc/platform/jobs";
import { z } from "zod";

/** Slow enough to be caught in the act. */
export const chaosJob = defineJob({
  name: "chaos.work",
  data: z.strictObject({ n: z.int() }),
  retry: { limit: 20, delaySeconds: 1, maxDelaySeconds: 1 },
  timeoutSeconds: 120,
});
