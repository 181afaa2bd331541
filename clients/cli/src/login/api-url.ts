import { CliError } from "../cli-error.ts";

/** The address alone, so that two ways of writing it are the same login. */
export function readApiUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new CliError("INVALID_REQUEST", `"${text}" is no address. Give one such as https://app.example.com.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new CliError("INVALID_REQUEST", "Leave user name and password out of the address. Give the key on its own.");
  }
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    throw new CliError("INVALID_REQUEST", `Give the address without a path: ${url.origin}`);
  }
  return url.origin;
}

export function sendsInClear(apiUrl: string): boolean {
  const { protocol, hostname } = new URL(apiUrl);
  return protocol === "http:" && !/^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
