import { isDeepStrictEqual } from "node:util";
import type { Finding } from "@svc/contract";
import type { SourceRow } from "../queries/sources.ts";
import type { CheckedConfiguration } from "../search-configuration/check-configuration.ts";
import type { Remark } from "../search-configuration/remark.ts";

/** Whether the saved configuration still fits the database, and what of the database concerns all of it. */
export function configurationFindings(source: SourceRow, checked: CheckedConfiguration): Finding[] {
  return [...savedFindings(source, checked), ...extensionFindings(checked)];
}

function savedFindings({ search_plan }: SourceRow, checked: CheckedConfiguration): Finding[] {
  const whole = { code: "configuration", target: null } as const;
  if (!search_plan) {
    return [
      { ...whole, level: "warning", message: "No search configuration is saved, so nothing can be asked: save one." },
    ];
  }
  const { problems, plan } = checked;
  if (problems.length > 0) return problems.map((problem) => toFinding(problem, "error", checked));
  const changed = plan.entries.filter((entry, place) => !isDeepStrictEqual(entry, search_plan.entries[place]));
  if (changed.length === 0) {
    return [
      { ...whole, level: "ok", message: "Tables, columns, dimensions and models are as the configuration says." },
    ];
  }
  return changed.map(({ label }) => ({
    level: "warning",
    code: "configuration",
    target: label,
    message:
      "A type or an index was changed since the configuration was saved: save it again, so that searches use it.",
  }));
}

function extensionFindings(checked: CheckedConfiguration): Finding[] {
  const { extension, warnings } = checked;
  const concerning = warnings.filter(({ code }) => code === "extension_version");
  if (concerning.length > 0) return concerning.map((warning) => toFinding(warning, "warning", checked));
  if (!extension) return [];
  return [{ level: "ok", code: "extension_version", target: null, message: `pgvector is ${extension.version}.` }];
}

export function toFinding(
  { code, entry, path, message }: Remark,
  level: Finding["level"],
  { entries }: CheckedConfiguration,
): Finding {
  const target = entry === null ? null : (entries[entry]?.draft.label ?? null);
  // Where it stands helps to mend it; a warning says it all by itself.
  const text = level === "error" ? `${path}: ${message}` : message;
  return { level, code, target, message: text.slice(0, 1_000) };
}
