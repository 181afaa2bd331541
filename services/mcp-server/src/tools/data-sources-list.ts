import { FILTER_TYPES, MIN_ROLES } from "@svc/contract";
import { z } from "zod";
import { READS_ONLY, type Tool, writeSchema } from "./tool.ts";

const inputSchema = z.strictObject({});

const outputSchema = z.object({
  items: z.array(
    z.object({
      id: z.string().describe("Give this as source_id to data_source_query"),
      name: z.string(),
      description: z.string().nullable().describe("What the source holds, in the words of its owners"),
      min_role: z.enum(MIN_ROLES).describe("Who may ask it, from this role up. Every source listed may be asked"),
      filters: z
        .record(z.string(), z.enum(FILTER_TYPES))
        .describe("Columns that filters can name, and the type of their values"),
      targets: z.array(z.string()).describe("Parts of the source, one of which target can name"),
    }),
  ),
});

export const dataSourcesList: Tool = {
  definition: {
    name: "data_sources_list",
    title: "List data sources",
    description:
      "Lists the data sources of the organization that you may ask, and for each all that data_source_query needs: " +
      "its id, what it holds, the columns you can filter on with their types, and its targets. Call it once before " +
      "the first question and whenever a source is said not to exist. An empty list means that nothing is shared " +
      "with you: say so instead of guessing.",
    inputSchema: writeSchema(inputSchema, "input"),
    outputSchema: writeSchema(outputSchema, "output"),
    annotations: { title: "List data sources", ...READS_ONLY },
  },
  run: (api) => api.listAskableSourcesAsText(),
};
