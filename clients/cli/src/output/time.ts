/** As people read it, still exact to the minute and without a doubt about the zone: 2026-11-22 10:00 UTC. */
export function readableTime(timestamp: string): string {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? timestamp : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
