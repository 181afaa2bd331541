import { type Db, maintainDailyPartitions } from "@svc/platform/db";
import { type AnyJob, defineJob, type JobEngine } from "@svc/platform/jobs";
import { z } from "zod";

const maintainPartitions = defineJob({
  name: "platform.maintain_partitions",
  data: z.strictObject({}),
  exclusion: "one_at_all",
  retry: { limit: 5, delaySeconds: 30, maxDelaySeconds: 600 },
  timeoutSeconds: 300,
});

/** Every job there is. The migration makes their queues. */
export const allJobs: AnyJob[] = [maintainPartitions];

export async function runJobs(engine: JobEngine, db: Db): Promise<void> {
  await engine.work(maintainPartitions, async (_data, { log }) => {
    const { created, dropped } = await maintainDailyPartitions(db);
    if (created + dropped > 0) log.info({ created, dropped }, "partitions by day kept up");
  });
  await engine.schedule({ job: maintainPartitions, data: {}, cron: "7 * * * *" });
}
