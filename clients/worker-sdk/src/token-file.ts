import { readFile, stat } from "node:fs/promises";

/** A file that did not change is read again after this time, in case its file system tells no times. */
const TRUSTED_FOR_MS = 10_000;

export interface TokenFile {
  read(): Promise<string>;
  /** The same whatever was read before. */
  readAgain(): Promise<string>;
}

/** A file whose content is replaced before it expires, as the kubelet does with a projected token. */
export function openTokenFile(path: string): TokenFile {
  let known: { token: string; version: string; readAt: number } | undefined;

  const readAgain = async (): Promise<string> => {
    // Before the content: if it is replaced in between, the next call sees another version and reads again.
    const version = await versionOf(path);
    const token = (await readFile(path, "utf8")).trim();
    if (token === "") throw new Error(`The token file ${path} is empty.`);
    known = { token, version, readAt: performance.now() };
    return token;
  };

  return {
    readAgain,
    read: async () => {
      const isRecent = known && performance.now() - known.readAt < TRUSTED_FOR_MS;
      return known && isRecent && known.version === (await versionOf(path)) ? known.token : readAgain();
    },
  };
}

/** The kubelet swaps a link to the directory, so it is another file by then; others write into the same one. */
async function versionOf(path: string): Promise<string> {
  const { dev, ino, mtimeNs, size } = await stat(path, { bigint: true });
  return `${dev}:${ino}:${mtimeNs}:${size}`;
}
