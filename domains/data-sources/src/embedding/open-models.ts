import { readFileSync } from "node:fs";
import { ConfigError } from "@svc/platform/config";
import { AppError } from "@svc/platform/errors";
import type { Logger } from "@svc/platform/telemetry";
import { checkVectors } from "./check-vectors.ts";
import { createLocalModel } from "./local.ts";
import type { Embedder, EmbeddingModels } from "./models.ts";
import { askProvider } from "./openai-compatible.ts";
import type { EmbeddingModelSettings, OpenaiCompatibleSettings } from "./settings.ts";

interface OpenModelsOptions {
  log: Logger;
  timeoutMs?: number;
  /** Where the keys are that settings name. */
  env?: Record<string, string | undefined>;
}

type Embed = Embedder["embed"];

/** Makes ready what EMBEDDING_MODELS names. Throws ConfigError with every key that cannot be had. */
export function openEmbeddingModels(settings: EmbeddingModelSettings, options: OpenModelsOptions): EmbeddingModels {
  const { log, timeoutMs = 10_000, env = process.env } = options;
  const local = createLocalModel(log);
  const keys = readKeys(settings, env);
  const embedders = new Map<string, Embedder>();
  for (const [model, setting] of Object.entries(settings)) {
    const { dimensions } = setting;
    const isLocal = setting.provider === "local";
    const embed: Embed =
      setting.provider === "local"
        ? local.embed
        : (texts, signal) => askProvider(providerOf(model, setting, keys.get(model)), texts, signal);
    embedders.set(model, { model, dimensions, isLocal, embed: checked(embed, { model, dimensions, timeoutMs }) });
  }
  return {
    find: (model) => embedders.get(model),
    names: () => [...embedders.keys()],
    close: local.close,
  };
}

function checked(embed: Embed, of: { model: string; dimensions: number; timeoutMs: number }): Embed {
  const { model, dimensions, timeoutMs } = of;
  return async (texts, signal) => {
    const limit = AbortSignal.timeout(timeoutMs);
    const either = AbortSignal.any([signal, limit]);
    try {
      either.throwIfAborted();
      return checkVectors(await embed(texts, either), { model, dimensions, count: texts.length });
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (either.aborted) {
        throw new AppError("TIMEOUT", `The model "${model}" did not answer in time. Try again.`, { cause: error });
      }
      throw new AppError("EMBEDDING_FAILED", `The model "${model}" failed. Try again shortly.`, { cause: error });
    }
  };
}

function providerOf(
  model: string,
  setting: OpenaiCompatibleSettings,
  key: string | undefined,
): Parameters<typeof askProvider>[0] {
  return {
    model,
    url: setting.base_url,
    key,
    providerModel: setting.model ?? model,
    dimensions: setting.dimensions,
    sendDimensions: setting.send_dimensions,
    queryPrefix: setting.query_prefix,
  };
}

/** Read once, at the start: a key that is not there is found before the first question. */
function readKeys(settings: EmbeddingModelSettings, env: Record<string, string | undefined>): Map<string, string> {
  const keys = new Map<string, string>();
  const problems: ConfigError["problems"] = [];
  for (const [model, setting] of Object.entries(settings)) {
    if (setting.provider === "local") continue;
    const place = setting.api_key_file === undefined ? "api_key_env" : "api_key_file";
    if (setting[place] === undefined) continue;
    const key = place === "api_key_env" ? env[setting[place]] : readKeyFile(setting[place]);
    const message = faultOf(key, place);
    if (message !== undefined) problems.push({ setting: `EMBEDDING_MODELS.${model}.${place}`, message });
    else keys.set(model, key ?? "");
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return keys;
}

function readKeyFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}

function faultOf(key: string | undefined, place: "api_key_env" | "api_key_file"): string | undefined {
  if (!key) return place === "api_key_env" ? "names a variable that is not set" : "names a file without a key in it";
  // Refused here, because fetch would quote the key in its complaint.
  return /^[\u0021-\u007e]+$/.test(key) ? undefined : "leads to a key with a character that no header can hold";
}
