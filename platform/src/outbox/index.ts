export { handOver, takeEvents, type EventBatch, type Ingest } from "./hand-over.ts";
export { EventsRefused, startShipper, type Ship, type Shipper } from "./ship-events.ts";
export { createOutbox, type NewEvent, type Outbox } from "./write-event.ts";
