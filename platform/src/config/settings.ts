import { z } from "zod";

/** Settings whose value must never be printed and may come from a file named by `<NAME>_FILE`. */
const secretSettings = new WeakSet<z.ZodType>();

export function secret<T extends z.ZodType>(schema: T): T {
  secretSettings.add(schema);
  return schema;
}

/** `.optional()`, `.default()` and `.transform()` wrap the schema that was marked, so look through the wrappers. */
export function isSecret(schema: z.ZodType): boolean {
  if (secretSettings.has(schema)) return true;
  const { def } = schema as { def?: { innerType?: z.ZodType; in?: z.ZodType } };
  const wrapped = def?.innerType ?? def?.in;
  return wrapped !== undefined && isSecret(wrapped);
}

export function portSetting(defaultPort: number): z.ZodType<number> {
  return z.coerce
    .number("must be a port number from 0 to 65535")
    .int("must be a whole number")
    .min(0, "must be a port number from 0 to 65535")
    .max(65_535, "must be a port number from 0 to 65535")
    .default(defaultPort);
}

export function urlSetting(protocols: string[], example: string): z.ZodType<string, string> {
  return z
    .string(`is missing; for example ${example}`)
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `must be a URL like ${example}`,
    );
}

/** Comma-separated values. */
export function listSetting(item: z.ZodType<string, string>): z.ZodType<string[]> {
  return z
    .string()
    .transform((value) =>
      value
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== ""),
    )
    .pipe(z.array(item).max(100));
}

export function switchSetting(defaultValue: boolean): z.ZodType<boolean> {
  return z
    .enum(["true", "false"], "must be true or false")
    .default(defaultValue ? "true" : "false")
    .transform((value) => value === "true");
}
