import { type ReactNode, useEffect, useId } from "react";

export interface PageProps {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** For forms and reading. */
  narrow?: boolean;
  /** Above the title, such as the way back to the list. */
  above?: ReactNode;
  /** Beside the title, such as a chip. */
  badge?: ReactNode;
}

export function Page({ title, description, actions, children, narrow = false, above, badge }: PageProps): ReactNode {
  useEffect(() => {
    document.title = `${title} · svc`;
  }, [title]);
  return (
    // Every title begins at the same place, however wide its page is.
    <div className={`mx-auto w-full max-w-6xl p-6 max-sm:px-4 max-sm:py-5 ${narrow ? "*:max-w-[45rem]" : ""}`}>
      {above && <div className="mb-2 text-sm text-muted">{above}</div>}
      <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 max-w-full flex-1 basis-80">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {/* Takes the focus after a navigation, without being a stop of the keyboard. */}
            <h1 tabIndex={-1} className="min-w-0 text-xl font-semibold break-words outline-none">
              {title}
            </h1>
            {badge}
          </div>
          {description && <div className="mt-1 max-w-[70ch] text-pretty text-muted wrap-anywhere">{description}</div>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      <div className="flex flex-col gap-8">{children}</div>
    </div>
  );
}

export interface SectionProps {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Section({ title, description, actions, children }: SectionProps): ReactNode {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className="mb-3 flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <h2 id={id} className="text-lg font-semibold break-words">
            {title}
          </h2>
          {description && (
            <div className="mt-0.5 max-w-[70ch] text-sm text-pretty text-muted wrap-anywhere">{description}</div>
          )}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

export interface PanelProps {
  children: ReactNode;
  /** Without, what is inside reaches the border, as a table does. */
  padded?: boolean;
  className?: string;
}

export function Panel({ children, padded = true, className = "" }: PanelProps): ReactNode {
  return (
    <div
      className={`min-w-0 overflow-clip rounded-lg border border-line bg-surface ${padded ? "p-4" : ""} ${className}`}
    >
      {children}
    </div>
  );
}
