import { Combobox as Base } from "@base-ui/react/combobox";
import { Check, ChevronsUpDown, X } from "lucide-react";
import { type ReactNode } from "react";
import { type Choice, ChoiceText } from "./choice.tsx";
import { classNames } from "./class-names.ts";
import { Field } from "./field.tsx";
import { controlHeight, fieldLook } from "./field-look.ts";
import { popupItemLook, popupListLook, popupLook } from "./popup-look.ts";

export interface ComboboxProps<V extends string> {
  label: string;
  value: V | undefined;
  /** Undefined when it was cleared. */
  onChange: (value: V | undefined) => void;
  options: readonly Choice<V>[];
  placeholder?: string;
  disabled?: boolean | undefined;
  hideLabel?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
  /** Said where nothing matches what was typed. */
  emptyText?: string;
  className?: string;
}

const innerButton =
  "grid h-full w-7 place-items-center rounded-md text-faint hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:w-10";

export function Combobox<V extends string>(props: ComboboxProps<V>): ReactNode {
  const { value, onChange, options, placeholder, disabled, emptyText = "Nothing matches. Try fewer letters." } = props;
  const { label, hideLabel, hint, error, className } = props;
  return (
    <Base.Root
      items={options}
      value={options.find((option) => option.value === value) ?? null}
      onValueChange={(next: Choice<V> | null) => onChange(next?.value)}
      isItemEqualToValue={(a: Choice<V>, b: Choice<V>) => a.value === b.value}
      disabled={disabled}
      autoHighlight
    >
      <Field {...{ label, hideLabel, hint, error, className }}>
        {(control) => (
          <Base.InputGroup className="relative">
            <Base.Input
              {...control}
              // While the list is open everything else is hidden from screen readers, the label too.
              aria-label={label}
              placeholder={placeholder}
              className={classNames(fieldLook, controlHeight, "truncate pr-15 pointer-coarse:pr-21")}
            />
            <div className="absolute inset-y-0 right-0.75 flex">
              <Base.Clear aria-label={`Clear ${label}`} className={classNames(innerButton, disabled && "hidden")}>
                <X aria-hidden size={14} />
              </Base.Clear>
              <Base.Trigger aria-label={`Show the choices of ${label}`} className={innerButton}>
                <ChevronsUpDown aria-hidden size={14} />
              </Base.Trigger>
            </div>
          </Base.InputGroup>
        )}
      </Field>
      <Base.Portal>
        <Base.Positioner align="start" sideOffset={4} collisionPadding={8} className="z-50 outline-none">
          <Base.Popup className={classNames(popupLook, "w-(--anchor-width) max-w-(--available-width)")}>
            <Base.Empty className="px-3 py-2 text-muted empty:hidden">{emptyText}</Base.Empty>
            <Base.List className={classNames(popupListLook, "data-empty:hidden")}>
              {(option: Choice<V>) => (
                <Base.Item key={option.value} value={option} className={popupItemLook}>
                  <ChoiceText label={option.label} hint={option.hint} />
                  <Base.ItemIndicator className="grid h-5 shrink-0 place-items-center">
                    <Check aria-hidden size={14} />
                  </Base.ItemIndicator>
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
