import type { ServerResponse } from "node:http";
import { AppError } from "@svc/platform/errors";

interface Patience {
  /** Aborts when the caller went away before the answer, or when the time is over. */
  signal: AbortSignal;
  /** What was begun, or the reason why it was given up. */
  wait<T>(begun: Promise<T>): Promise<T>;
}

export function givingUp(response: ServerResponse, limitMs: number): Patience {
  const controller = new AbortController();
  const giveUp = (reason: string) => (): void => controller.abort(new AppError("TIMEOUT", reason));
  const timer = setTimeout(giveUp("This took too long. Try again, or ask for less."), limitMs);
  const onClose = giveUp("The caller went away.");
  response.once("close", onClose);
  const aborted = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener("abort", () => reject(controller.signal.reason), { once: true });
  });
  return {
    signal: controller.signal,
    wait: (begun) =>
      Promise.race([begun, aborted]).finally(() => {
        clearTimeout(timer);
        response.off("close", onClose);
      }),
  };
}
