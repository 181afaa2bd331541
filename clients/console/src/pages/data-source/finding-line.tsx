import type { Finding } from "@svc/contract";
import { CircleAlert, CircleCheck, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Chip } from "../../components/chip.tsx";

const LOOKS: Record<Finding["level"], { icon: LucideIcon; colour: string; word: string }> = {
  error: { icon: CircleAlert, colour: "text-danger", word: "Problem" },
  warning: { icon: TriangleAlert, colour: "text-warn", word: "Warning" },
  ok: { icon: CircleCheck, colour: "text-ok", word: "In order" },
};

/** Each finding says itself what to do. */
export function FindingLine({ level, target, message }: Pick<Finding, "level" | "target" | "message">): ReactNode {
  const { icon: Icon, colour, word } = LOOKS[level];
  return (
    <li className="flex gap-2.5 px-4 py-2.5 text-sm">
      <Icon role="img" aria-label={word} size={14} className={`mt-0.75 shrink-0 ${colour}`} />
      <div className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="min-w-0 flex-1 basis-60 text-pretty wrap-anywhere">{message}</p>
        {target !== null && <Chip>{target}</Chip>}
      </div>
    </li>
  );
}
