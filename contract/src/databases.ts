import { z } from "zod";
import { DATABASE_NAME, DATABASE_NAME_RULE, MAX_DATABASE_NAME } from "./plain/bounds.ts";
import { lineSchema } from "./text.ts";

export const databaseNameSchema = z.string().max(MAX_DATABASE_NAME).regex(DATABASE_NAME, DATABASE_NAME_RULE);

export const DATABASE_STATUSES = ["creating", "ready", "deleting"] as const;

export const databaseSchema = z.object({
  name: z.string().max(40),
  /** What it goes by as a data source. */
  source_id: z.string().max(50),
  description: z.string().max(500).nullable(),
  /** Switched on as a data source. That alone shows nothing to anyone; exposing it does. */
  data_source: z.boolean(),
  status: z.enum(DATABASE_STATUSES),
  /** When its data goes for good, while it is being deleted. Until then it can be restored. */
  delete_after: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type ManagedDatabase = z.infer<typeof databaseSchema>;

export const databasesSchema = z.object({ items: z.array(databaseSchema).max(1_000) });

export const createDatabaseRequestSchema = z.strictObject({
  name: databaseNameSchema,
  description: lineSchema(0, 500).optional(),
  data_source: z.boolean().default(true),
});

export const updateDatabaseRequestSchema = z
  .strictObject({ data_source: z.boolean().optional(), description: lineSchema(0, 500).optional() })
  .refine(
    ({ data_source, description }) => data_source !== undefined || description !== undefined,
    "give data_source, description or both",
  );

/** The owner's way in: whoever has it reads and writes everything in this database. */
export const databaseConnectionSchema = z.object({
  connection_string: z.string().max(1_000),
  host: z.string().max(255),
  port: z.int(),
  database: z.string().max(63),
  user: z.string().max(63),
  password: z.string().max(200),
});
export type DatabaseConnection = z.infer<typeof databaseConnectionSchema>;
