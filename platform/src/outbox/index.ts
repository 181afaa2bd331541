export { EventsRefused, startShipper, type EventBatch, type Ingest, type Shipper } from "./ship-events.ts";
export { createOutbox, type NewEvent, type Outbox } from "./write-event.ts";
