/** Taken before and after every command. */
export interface GlobalOptions {
  output?: OutputFormat;
  /** Some commands take `--json` for `--output json`. */
  json?: boolean;
  context?: string;
  apiUrl?: string;
  apiKey?: string;
  /** Seconds. */
  timeout?: number;
  color: boolean;
}

export const OUTPUT_FORMATS = ["table", "json", "yaml"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export type Environment = Record<string, string | undefined>;

/** Undefined: as people like to read it. */
export function formatOf({ json, output }: GlobalOptions): OutputFormat | undefined {
  return json ? "json" : output;
}
