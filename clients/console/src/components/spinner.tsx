import { LoaderCircle } from "lucide-react";
import { type ReactNode } from "react";

export function Spinner({ size = 14 }: { size?: number }): ReactNode {
  return <LoaderCircle aria-hidden size={size} className="shrink-0 animate-spin" />;
}
