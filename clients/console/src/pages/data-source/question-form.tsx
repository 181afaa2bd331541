import { isAtLeast, MAX_HITS } from "@svc/contract/plain";
import { type FormEvent, type KeyboardEvent, type ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { TextArea, TextField } from "../../components/field.tsx";
import { Kbd } from "../../components/kbd.tsx";
import { SegmentedControl } from "../../components/segmented-control.tsx";
import { Select } from "../../components/select.tsx";
import { permissionOf } from "../../session/permission.ts";
import { useOrg } from "../../session/use-org.ts";
import { FilterFields } from "./filter-fields.tsx";
import type { QuestionDraft } from "./question-draft.ts";
import type { SourceView } from "./source-view.ts";
import type { Asking } from "./use-ask.ts";

interface QuestionFormProps {
  view: SourceView;
  draft: QuestionDraft;
  onDraft: (draft: QuestionDraft) => void;
  asking: Asking;
}

/** A select has no empty choice of its own. No label is a space alone. */
const EVERYWHERE = " ";

export function QuestionForm({ view, draft, onDraft, asking }: QuestionFormProps): ReactNode {
  const { org } = useOrg();
  const set = (change: Partial<QuestionDraft>): void => onDraft({ ...draft, ...change });
  const permission = permissionOf(org.role, view.minRole, "Asking this source");
  const isExposed = view.managed?.source.exposed ?? true;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    asking.ask(draft);
  };
  return (
    <form onSubmit={submit} onKeyDown={submitByKey} noValidate className="flex min-w-0 flex-col gap-4">
      <TextArea
        label="Question"
        hint="In your own words, as you would ask an agent."
        rows={4}
        value={draft.query}
        onChange={(query) => set({ query })}
      />
      <FilterFields schema={view.filters} filters={draft.filters} onChange={(filters) => set({ filters })} />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label="Hits"
          hint={`1 to ${MAX_HITS}`}
          type="number"
          inputMode="numeric"
          min={1}
          max={MAX_HITS}
          value={draft.hits}
          onChange={(hits) => set({ hits })}
        />
        <Select
          label="Search in"
          value={draft.target ?? EVERYWHERE}
          options={[
            { value: EVERYWHERE, label: "Everything" },
            ...view.targets.map((target) => ({ value: target, label: target })),
          ]}
          onChange={(target) => set({ target: target === EVERYWHERE ? undefined : target })}
        />
      </div>
      <div className="flex flex-col gap-1.5">
        <span aria-hidden className="text-sm font-medium">
          Format
        </span>
        <div>
          <SegmentedControl
            label="Format"
            value={draft.format}
            onChange={(format) => set({ format })}
            tabs={[
              { value: "yaml", label: "YAML" },
              { value: "json", label: "JSON" },
            ]}
          />
        </div>
        <p className="text-xs text-muted">Scripts and svc get YAML, agents by MCP get JSON.</p>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          type="submit"
          variant="primary"
          pending={asking.isPending}
          permission={isExposed && !isAtLeast(org.role, view.minRole) ? permission : undefined}
        >
          Ask
        </Button>
        <Kbd keys="mod+enter" />
      </div>
      <p className="text-xs text-muted">
        Each press counts as a question of your organization and is in its activity, without what was asked or answered.
      </p>
    </form>
  );
}

function submitByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}
