import { type ReactNode } from "react";
import { SegmentedControl } from "../components/segmented-control.tsx";
import { usePermission } from "./permission.ts";

export type ListScope = "mine" | "org";

interface ScopeSwitchProps {
  /** "Whose tokens" */
  label: string;
  /** "Seeing everyone's tokens" */
  act: string;
  value: ListScope;
  onChange: (scope: ListScope) => void;
}

/** One's own, or those of everyone in the organization, for who may see them. */
export function ScopeSwitch({ label, act, value, onChange }: ScopeSwitchProps): ReactNode {
  const permission = usePermission("admin", act);
  if (!permission.allowed) return <p className="text-sm text-muted">These are yours. {permission.reason}</p>;
  return (
    <SegmentedControl
      label={label}
      value={value}
      onChange={onChange}
      tabs={[
        { value: "mine", label: "Mine" },
        { value: "org", label: "Everyone's" },
      ]}
    />
  );
}
