import { Select as Base } from "@base-ui/react/select";
import { Check, ChevronsUpDown } from "lucide-react";
import { type ReactNode, useId } from "react";
import { type Choice, ChoiceText } from "./choice.tsx";
import { classNames } from "./class-names.ts";
import { controlHeight, fieldLook, labelLook } from "./field-look.ts";
import { FieldNotes } from "./field.tsx";
import { popupItemLook, popupListLook, popupLook } from "./popup-look.ts";

export interface SelectProps<V extends string> {
  label: string;
  value: V | undefined;
  onChange: (value: V) => void;
  options: readonly Choice<V>[];
  disabled?: boolean | undefined;
  hideLabel?: boolean;
  placeholder?: string;
  hint?: ReactNode;
  error?: string | undefined;
  className?: string;
}

export function Select<V extends string>(props: SelectProps<V>): ReactNode {
  const {
    label,
    value,
    onChange,
    options,
    disabled,
    hideLabel,
    placeholder = "Choose",
    hint,
    error,
    className,
  } = props;
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  return (
    <Base.Root
      items={options}
      value={value ?? null}
      onValueChange={(next) => next !== null && onChange(next)}
      disabled={disabled}
      modal={false}
    >
      <div className={classNames("flex min-w-0 flex-col gap-1.5", className)}>
        <Base.Label className={hideLabel ? "sr-only" : classNames(labelLook, "self-start")}>{label}</Base.Label>
        <Base.Trigger
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={classNames(hint !== undefined && hintId, error !== undefined && errorId) || undefined}
          className={classNames(fieldLook, controlHeight, "flex items-center justify-between gap-2 text-left")}
        >
          <Base.Value placeholder={placeholder} className="min-w-0 truncate data-placeholder:text-faint" />
          <Base.Icon className="text-faint">
            <ChevronsUpDown aria-hidden size={14} />
          </Base.Icon>
        </Base.Trigger>
        <FieldNotes {...{ hint, hintId, error, errorId }} />
      </div>
      <Base.Portal>
        <Base.Positioner
          alignItemWithTrigger={false}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 outline-none"
        >
          <Base.Popup
            className={classNames(popupLook, "min-w-(--anchor-width) max-w-[min(24rem,var(--available-width))]")}
          >
            <Base.List className={popupListLook}>
              {options.map((option) => (
                <Base.Item key={option.value} value={option.value} className={popupItemLook}>
                  <ChoiceText
                    label={<Base.ItemText render={<span />}>{option.label}</Base.ItemText>}
                    hint={option.hint}
                  />
                  <Base.ItemIndicator className="grid h-5 shrink-0 place-items-center">
                    <Check aria-hidden size={14} />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
