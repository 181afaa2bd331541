import { z } from "zod";
import { idSchema } from "./ids.ts";

/** What can happen that people may want to hear of. Closed: a new type is added here first. */
export const EVENT_TYPES = [
  "support.ticket.created",
  "support.ticket.replied",
  "support.ticket.status_changed",
  "deploy.failed",
  "application.check.failed",
  "application.check.error",
  "application.check.indeterminate",
  "application.check.recovered",
  "application.maintenance.run.completed",
  "application.maintenance.run.failed",
  "application.maintenance.proposal.created",
  "application.maintenance.proposal.approved",
  "application.maintenance.proposal.denied",
  "pipeline.run.failed",
  "pipeline.run.recovered",
  "pipeline.run.host_offline",
  "pipeline.run.missed",
  "org.support_access.started",
  "org.support_access.elevated",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

const eventSubjectSchema = z.strictObject({
  kind: z.string().min(1).max(40),
  id: z.string().min(1).max(100),
  /** Alias of the app the subject belongs to, where it belongs to one. */
  app: z.string().min(1).max(100).optional(),
});

/** Thin on purpose: identifiers and short codes. Whoever wants more opens the subject, and is authorized then. */
export const eventSchema = z.strictObject({
  id: idSchema("evt"),
  org_id: idSchema("org"),
  type: z.enum(EVENT_TYPES),
  subject: eventSubjectSchema,
  data: z
    .record(z.string().max(40), z.union([z.string().max(500), z.number(), z.boolean(), z.null()]))
    .refine((data) => Object.keys(data).length <= 20, "at most 20 fields"),
  occurred_at: z.iso.datetime(),
});

export type Event = z.infer<typeof eventSchema>;

/** Body of the ingest route by which a service that has its own database hands over its events. */
export const INGEST_BATCH_LIMIT = 1_000;
export const ingestRequestSchema = z.strictObject({
  events: z.array(eventSchema).min(1).max(INGEST_BATCH_LIMIT),
});
export const ingestResponseSchema = z.object({
  received: z.int(),
  /** Events not seen before; the rest were repeats. */
  recorded: z.int(),
});
