import type { ReactNode } from "react";

/** A page that has one thing to say, without the frame around it. */
export function MessagePage({ children }: { children: ReactNode }): ReactNode {
  return (
    <main className="grid min-h-svh place-items-center p-6">
      <div className="w-full max-w-md">{children}</div>
    </main>
  );
}
