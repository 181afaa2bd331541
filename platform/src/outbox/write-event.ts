import { type Event, type EventType, eventSchema, type Id } from "@svc/contract";
import { sql } from "kysely";
import type { AnyDb } from "../db/index.ts";
import { newId, uuidOf } from "../ids/index.ts";

export interface NewEvent {
  org_id: Id<"org">;
  type: EventType;
  subject: Event["subject"];
  data?: Event["data"];
}

export interface Outbox {
  schema: string;
  /** Records that something happened, in the transaction that made it happen. */
  write(tx: AnyDb, event: NewEvent): Promise<Id<"evt">>;
}

export function createOutbox(schema: string): Outbox {
  return {
    schema,
    write: async (tx, event) => {
      const id = newId("evt");
      const { org_id, type, subject, data, occurred_at } = eventSchema.parse({
        id,
        data: {},
        ...event,
        occurred_at: new Date().toISOString(),
      });
      await sql`
        insert into ${sql.id(schema, "outbox")} (id, org_id, type, subject, data, occurred_at)
        values (${uuidOf(id)}, ${uuidOf(org_id)}, ${type}, ${JSON.stringify(subject)}, ${JSON.stringify(data)}, ${occurred_at})
      `.execute(tx);
      return id;
    },
  };
}
