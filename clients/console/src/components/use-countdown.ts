import { useEffect, useState } from "react";

/** Seconds left, from when it was first given. Zero at once where there is nothing to wait for. */
export function useCountdown(seconds: number, restartFor: unknown): number {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const end = Date.now() + seconds * 1_000;
    const remaining = () => Math.max(0, Math.ceil((end - Date.now()) / 1_000));
    setLeft(seconds);
    if (seconds === 0) return;
    const timer = setInterval(() => {
      setLeft(remaining());
      if (remaining() === 0) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [seconds, restartFor]);
  return left;
}
