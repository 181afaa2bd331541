import { CircleAlert, TriangleAlert } from "lucide-react";
import { type ReactNode } from "react";
import { classNames } from "./class-names.ts";

const looks = {
  danger: [CircleAlert, "bg-danger-soft text-danger"],
  warn: [TriangleAlert, "bg-warn-soft text-warn"],
} as const;

export interface MessageLineProps {
  tone: keyof typeof looks;
  /** Nothing is shown where there is nothing to say. */
  children: ReactNode;
}

/** A sentence inside a form or dialog about what just went wrong; said aloud when it appears. */
export function MessageLine({ tone, children }: MessageLineProps): ReactNode {
  if (!children) return null;
  const [Icon, colours] = looks[tone];
  return (
    <p role="alert" className={classNames("flex gap-2 rounded-md px-3 py-2 text-sm", colours)}>
      <Icon aria-hidden size={14} className="mt-0.75 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  );
}
