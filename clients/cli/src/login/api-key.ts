import { CliError } from "../cli-error.ts";

/** Never says what it was given: that may be a secret pasted into the wrong place. */
export function checkApiKey(text: string): string {
  const key = text.trim();
  if (key === "") throw new CliError("INVALID_REQUEST", "The API key is empty. Create one in Settings, API tokens.");
  if (!/^[\u0021-\u007e]{1,8192}$/.test(key)) {
    throw new CliError("INVALID_REQUEST", "The API key has characters that no key has. Copy it again as one line.");
  }
  return key;
}
