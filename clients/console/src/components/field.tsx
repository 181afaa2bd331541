import { CircleAlert, type LucideIcon } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";
import { controlHeight, fieldLook, labelLook } from "./field-look.ts";

/** What ties a control to its label, hint and error. */
interface ControlProps {
  id: string;
  required?: boolean | undefined;
  "aria-describedby"?: string | undefined;
  "aria-invalid"?: true | undefined;
}

interface FieldWords {
  label: string;
  hideLabel?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
  required?: boolean | undefined;
  className?: string | undefined;
}

export interface FieldProps extends FieldWords {
  children: (control: ControlProps) => ReactNode;
}

export function Field({ label, hideLabel, hint, error, required, className, children }: FieldProps): ReactNode {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const control: ControlProps = {
    id,
    required,
    "aria-describedby": classNames(hint !== undefined && hintId, error !== undefined && errorId) || undefined,
    "aria-invalid": error === undefined ? undefined : true,
  };
  return (
    <div className={classNames("flex min-w-0 flex-col gap-1.5", className)}>
      <div className={hideLabel ? "sr-only" : "flex items-baseline justify-between gap-2"}>
        <label htmlFor={id} className={labelLook}>
          {label}
        </label>
        {required && (
          <span aria-hidden className="text-xs text-faint">
            Required
          </span>
        )}
      </div>
      {children(control)}
      <FieldNotes hint={hint} hintId={hintId} error={error} errorId={errorId} />
    </div>
  );
}

interface FieldNotesProps {
  hint: ReactNode;
  hintId: string;
  error: string | undefined;
  errorId: string;
}

/** The region of the error stays in place, else a screen reader would not notice that it fills. */
export function FieldNotes({ hint, hintId, error, errorId }: FieldNotesProps): ReactNode {
  return (
    <>
      {hint !== undefined && (
        <p id={hintId} className="max-w-[70ch] text-xs text-muted">
          {hint}
        </p>
      )}
      <div aria-live="polite" className={error === undefined ? "hidden" : undefined}>
        {error !== undefined && (
          <p id={errorId} className="flex gap-1.5 text-xs text-danger">
            <CircleAlert aria-hidden size={12} className="mt-0.5 shrink-0" />
            <span className="min-w-0 wrap-anywhere">{error}</span>
          </p>
        )}
      </div>
    </>
  );
}

export interface TextFieldProps
  extends FieldWords, Omit<ComponentProps<"input">, "onChange" | "value" | "children" | "required" | "className"> {
  value: string;
  onChange: (value: string) => void;
  icon?: LucideIcon;
  /** For identifiers, addresses and code. */
  mono?: boolean;
}

export function TextField({
  label,
  hideLabel,
  hint,
  error,
  required,
  className,
  onChange,
  icon: Icon,
  mono,
  ...rest
}: TextFieldProps): ReactNode {
  return (
    <Field {...{ label, hideLabel, hint, error, required, className }}>
      {(control) => (
        <div className="relative">
          {Icon && (
            <Icon
              aria-hidden
              size={14}
              className="pointer-events-none absolute inset-y-0 left-2.5 my-auto text-faint"
            />
          )}
          <input
            {...rest}
            {...control}
            onChange={(event) => onChange(event.target.value)}
            className={classNames(fieldLook, controlHeight, Icon && "pl-8", mono && "font-mono")}
          />
        </div>
      )}
    </Field>
  );
}

export interface TextAreaProps
  extends FieldWords, Omit<ComponentProps<"textarea">, "onChange" | "value" | "children" | "required" | "className"> {
  value: string;
  onChange: (value: string) => void;
  mono?: boolean;
}

export function TextArea({
  label,
  hideLabel,
  hint,
  error,
  required,
  className,
  onChange,
  mono,
  rows = 3,
  ...rest
}: TextAreaProps): ReactNode {
  return (
    <Field {...{ label, hideLabel, hint, error, required, className }}>
      {(control) => (
        <textarea
          {...rest}
          {...control}
          rows={rows}
          onChange={(event) => onChange(event.target.value)}
          className={classNames(fieldLook, "py-1.5", mono && "font-mono")}
        />
      )}
    </Field>
  );
}
