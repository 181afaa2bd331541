// The words of the console are English, so its times are too; the zone is the reader's.
const relative = new Intl.RelativeTimeFormat("en");
const exact = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short",
});
const brief = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const briefWithYear = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const timeOfDay = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

const MINUTE = 60_000;
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 365 * 24 * 60 * MINUTE],
  ["month", 30 * 24 * 60 * MINUTE],
  ["week", 7 * 24 * 60 * MINUTE],
  ["day", 24 * 60 * MINUTE],
  ["hour", 60 * MINUTE],
  ["minute", MINUTE],
];

/** "3 minutes ago", "in 2 days". */
export function formatRelative(at: Date, now: number): string {
  const distance = at.getTime() - now;
  for (const [unit, length] of UNITS) {
    if (Math.abs(distance) >= length) return relative.format(Math.trunc(distance / length), unit);
  }
  // The clocks of two machines are never the same, so what lies seconds ahead has just been.
  return "just now";
}

/** "Mon, 3 Mar 2025, 14:05:09 CET" */
export function formatExact(at: Date): string {
  return exact.format(at);
}

/** "3 Mar, 14:05", with the year where it is not this one. */
export function formatBrief(at: Date): string {
  return (at.getFullYear() === new Date().getFullYear() ? brief : briefWithYear).format(at);
}

/** "3 Mar" */
export function formatDay(at: Date): string {
  return day.format(at);
}

/** "14:05" */
export function formatTimeOfDay(at: Date): string {
  return timeOfDay.format(at);
}
