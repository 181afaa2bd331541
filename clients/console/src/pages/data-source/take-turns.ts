export type TakeTurn = <T>(act: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** At most so many at a time. Who is no longer wanted when its turn comes gives it to the next. */
export function takeTurns(places: number): TakeTurn {
  let free = places;
  const waiting: (() => void)[] = [];
  const enter = async (): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return;
    }
    const turn = Promise.withResolvers<void>();
    waiting.push(turn.resolve);
    await turn.promise;
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return async (act, signal) => {
    await enter();
    try {
      signal.throwIfAborted();
      return await act();
    } finally {
      leave();
    }
  };
}
