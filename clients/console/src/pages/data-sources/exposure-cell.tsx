import { Eye, EyeOff } from "lucide-react";
import type { ReactNode } from "react";
import type { DataSource } from "@svc/contract";
import { whoMayAsk } from "../data-source/role-words.ts";

export function ExposureCell({ source }: { source: DataSource | undefined }): ReactNode {
  const isExposed = source?.exposed === true;
  const Icon = isExposed ? Eye : EyeOff;
  return (
    <span className={`inline-flex max-w-full items-center gap-2 ${isExposed ? "" : "text-muted"}`}>
      <Icon aria-hidden size={14} className="shrink-0" />
      <span className="truncate">{isExposed ? whoMayAsk(source.min_role) : "Nobody"}</span>
    </span>
  );
}
