import { dataSourcesJobs } from "@svc/data-sources";
import { type Db, maintainDailyPartitions } from "@svc/platform/db";
import { type AnyJob, defineJob, type JobEngine } from "@svc/platform/jobs";
import { z } from "zod";

export const UPKEEP_SECONDS = 300;

const maintainPartitions = defineJob({
  name: "platform.maintain_partitions",
  data: z.strictObject({}),
  exclusion: "one_at_all",
  retry: { limit: 5, delaySeconds: 30, maxDelaySeconds: 600 },
  timeoutSeconds: UPKEEP_SECONDS,
});

/** Every job there is. The migration makes their queues. */
export const allJobs: AnyJob[] = [maintainPartitions, ...dataSourcesJobs];

/** `upkeepDb` lets a statement take as long as a job may: dropping a day waits for whoever reads it. */
export async function runJobs(engine: JobEngine, upkeepDb: Db): Promise<void> {
  await engine.work(maintainPartitions, async (_data, { log }) => {
    const { created, dropped } = await maintainDailyPartitions(upkeepDb);
    if (created + dropped > 0) log.info({ created, dropped }, "partitions by day kept up");
  });
  await engine.schedule({ job: maintainPartitions, data: {}, cron: "7 * * * *" });
}
