import { timeOfUuid } from "@svc/platform/ids";

/** The days whose partitions hold these events; the day is in the id. */
export function daysOfEvents(events: { id: string }[]): Date[] {
  const days = new Set(events.map(({ id }) => timeOfUuid(id).toISOString().slice(0, 10)));
  return [...days].map((day) => new Date(day));
}
