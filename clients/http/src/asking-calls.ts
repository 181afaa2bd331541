import type * as Contract from "@svc/contract";
import type { z } from "zod";
import { address, queryOf } from "./address.ts";
import type { Calls } from "./call-api.ts";
import type { Page } from "./page.ts";

type Question = z.input<typeof Contract.questionSchema>;

export interface AskingCalls {
  /** The sources that the caller may ask. */
  listAskableSources(): Promise<z.infer<typeof Contract.askableSourcesSchema>>;
  ask(sourceId: string, question: Question): Promise<Contract.Answer>;
  /** As JSON texts that were not looked into, for who passes them on. */
  listAskableSourcesAsText(): Promise<string>;
  askForText(sourceId: string, question: Question): Promise<string>;
  /** The same as YAML, byte for byte as an agent gets it. */
  askForYaml(sourceId: string, question: Question): Promise<string>;

  /** What was asked; below developer, what the caller asked. Newest first. */
  listActivity(query?: Partial<z.infer<typeof Contract.listActivityQuerySchema>>): Promise<ActivityPage>;
  /** How much of it, over time. */
  activityHistogram(
    query?: Partial<z.infer<typeof Contract.activityHistogramQuerySchema>>,
  ): Promise<Contract.ActivityHistogram>;
}

export type ActivityPage = Page<Contract.Activity>;

export function askingCalls({ call, callForText }: Calls): AskingCalls {
  return {
    listAskableSources: () => call("GET /api/wf/slim/data-sources", (c) => c.askableSourcesSchema),
    ask: async (id, question) => call(questionTo(id), (c) => c.answerSchema, question),
    listAskableSourcesAsText: () => callForText("GET /api/wf/slim/data-sources", "application/json"),
    askForText: async (id, question) => callForText(questionTo(id), "application/json", question),
    askForYaml: async (id, question) => callForText(questionTo(id), "application/yaml", question),

    listActivity: (query = {}) =>
      call<ActivityPage>(`GET /api/wf/activity${queryOf(query)}`, (c) => c.pageOf(c.activitySchema)),
    activityHistogram: (query = {}) =>
      call(`GET /api/wf/activity/histogram${queryOf(query)}`, (c) => c.activityHistogramSchema),
  };
}

function questionTo(id: string): string {
  return address`POST /api/wf/slim/data-sources/${id}/query`;
}
