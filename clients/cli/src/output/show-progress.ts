const PATIENCE_MS = 1_000;

/** Says what is waited for, on a terminal, once it takes over a second. */
export async function showProgress<T>(doing: string, work: Promise<T>): Promise<T> {
  const startedAt = Date.now();
  let isShown = false;
  const show = (): void => {
    // Not looked at before: to open the stream takes 4 ms.
    if (!process.stderr.isTTY) return clearInterval(timer);
    isShown = true;
    process.stderr.write(`\r\u001b[K${doing} … ${Math.round((Date.now() - startedAt) / 1_000)} s`);
  };
  const clear = (): void => {
    if (isShown) process.stderr.write("\r\u001b[K");
    isShown = false;
  };
  const timer = setInterval(show, PATIENCE_MS);
  // Also when the work is interrupted.
  process.once("exit", clear);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    process.off("exit", clear);
    clear();
  }
}
