import { secret } from "@svc/platform/config";
import { parseDocument } from "yaml";
import { z } from "zod";

/** As many as pgvector keeps. */
const MAX_DIMENSIONS = 16_000;
const MAX_MODELS = 100;
const LOCAL_DIMENSIONS = 512;

const EXAMPLE = "{my-model: {provider: openai-compatible, base_url: https://…/v1, api_key_env: …, dimensions: 1024}}";

const modelName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}$/);

const baseUrl = z
  .string("is missing; for example https://provider.example.com/v1")
  .max(2_000, "is longer than 2000 characters")
  .refine(isBaseUrl, "must be a web address such as https://provider.example.com/v1, without user, password, ? and #")
  .transform((url) => url.replace(/\/+$/, ""));

const openaiCompatible = z
  .strictObject(
    {
      provider: z.literal("openai-compatible"),
      base_url: baseUrl,
      /** Where the key is: the name of a variable, or the path of a file. Never the key itself. */
      api_key_env: z
        .string("must be the name of a variable")
        .regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/, "must be the name of a variable, not the key itself")
        .optional(),
      api_key_file: z
        .string("must be the path of a file")
        .regex(/^\/.{1,999}$/, "must be the path of a file, starting with /")
        .optional(),
      dimensions: z
        .int(`must be a whole number from 1 to ${MAX_DIMENSIONS}, the length of the model's vectors`)
        .min(1, "must be at least 1")
        .max(MAX_DIMENSIONS, `must be at most ${MAX_DIMENSIONS}`),
      /** The provider's own name for it, where configurations call it something else. */
      model: z
        .string("must be the provider's name for the model")
        .min(1, "is empty")
        .max(200, "is too long")
        .optional(),
      /** Asks the provider for vectors of this length; only some models can shorten theirs. */
      send_dimensions: z.boolean("must be true or false").default(false),
      /** Some models tell questions from documents by their first words. */
      query_prefix: z.string("must be a text").max(1_000, "is longer than 1000 characters").default(""),
    },
    { error: nameUnknownFields },
  )
  .refine(
    ({ api_key_env, api_key_file }) => api_key_env === undefined || api_key_file === undefined,
    // Beside other problems too: an operator is to see all of them at once.
    { message: "has both api_key_env and api_key_file: keep one", when: ({ value }) => isRecord(value) },
  );

const local = z.strictObject(
  {
    provider: z.literal("local"),
    dimensions: z.literal(LOCAL_DIMENSIONS, `must be ${LOCAL_DIMENSIONS}, the length of the local model's vectors`),
  },
  { error: nameUnknownFields },
);

const models = z
  .record(modelName, z.discriminatedUnion("provider", [openaiCompatible, local], { error: nameProviders }), {
    error: ({ code }) =>
      code === "invalid_key"
        ? "is no name for a model: use at most 200 letters, digits and . _ : / @ + -, with a letter or digit first"
        : `must map names of models to their settings, for example ${EXAMPLE}`,
  })
  .refine((map) => Object.keys(map).length <= MAX_MODELS, `names more than ${MAX_MODELS} models`);

export type EmbeddingModelSettings = z.infer<typeof models>;
export type OpenaiCompatibleSettings = z.infer<typeof openaiCompatible>;

/** EMBEDDING_MODELS: which models questions can be embedded with, by the name that search configurations use. */
export const embeddingModelsSetting: z.ZodType<EmbeddingModelSettings, string | undefined> = secret(
  z.string().max(200_000, "is longer than 200000 characters"),
)
  .transform(readYaml)
  .pipe(models)
  .prefault("{}");

/** The parser's own message quotes the text around the mistake, which may hold anything. */
function readYaml(text: string, context: z.RefinementCtx<string>): unknown {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (!error) return document.toJS() ?? {};
  const { line, col } = error.linePos?.[0] ?? { line: 1, col: 1 };
  context.addIssue({ code: "custom", message: `is neither YAML nor JSON: look at line ${line}, column ${col}` });
  return z.NEVER;
}

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const isBare = url.username === "" && url.password === "" && !/[?#]/.test(text);
  return isBare && (url.protocol === "https:" || url.protocol === "http:");
}

function nameProviders({ code }: { code?: string }): string {
  return code === "invalid_type" ? "must be a map of settings" : "must be openai-compatible or local";
}

function nameUnknownFields(issue: { code?: string; keys?: string[] }): string {
  if (issue.code !== "unrecognized_keys") return "must be a map of settings";
  // Only what looks like a setting is repeated: a slip of indentation can turn a key into a name.
  const names = (issue.keys ?? []).map((key) => (/^[a-z_]{1,30}$/.test(key) ? key : "one that is no name"));
  const hint = names.includes("api_key")
    ? "; name the variable of the key in api_key_env, or its file in api_key_file"
    : "";
  return `has unknown settings: ${names.slice(0, 10).join(", ")}${hint}`;
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
