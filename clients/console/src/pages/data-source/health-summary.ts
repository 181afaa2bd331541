import type { SourceHealth } from "@svc/contract";
import { CircleAlert, CircleCheck, type LucideIcon, TriangleAlert } from "lucide-react";
import type { Tone } from "../../components/chip.tsx";

export interface HealthSummary {
  tone: Tone;
  icon: LucideIcon;
  words: string;
}

/** How a source is, in a chip. */
export function summarizeHealth({ status, findings }: SourceHealth): HealthSummary {
  if (status === "ok") return { tone: "ok", icon: CircleCheck, words: "OK" };
  const count = findings.filter(({ level }) => level === status).length;
  if (status === "warning") return { tone: "warn", icon: TriangleAlert, words: counted(count, "warning") };
  return { tone: "danger", icon: CircleAlert, words: counted(count, "problem") };
}

function counted(count: number, what: string): string {
  return `${count} ${count === 1 ? what : `${what}s`}`;
}
