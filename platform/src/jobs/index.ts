export { defineJob, type AnyJob, type JobDefinition } from "./define-job.ts";
export { JobRefused, type JobQueue } from "./enqueue.ts";
export { migrateJobs } from "./migrate-jobs.ts";
export { ENGINE_SETTINGS, openJobEngine, openJobQueue, type JobEngine } from "./open-jobs.ts";
export { PermanentJobFailure, type DeadLetter, type JobContext } from "./work.ts";
