import type { ReactNode } from "react";
import { ControlPatterns } from "./controls.tsx";
import { DataPatterns } from "./data.tsx";

/** Each component in each of its states. Only in a development build. */
export function PatternsPage(): ReactNode {
  return (
    <main className="mx-auto flex max-w-5xl flex-col gap-12 p-6">
      <h1 className="text-xl font-semibold">Patterns</h1>
      <ControlPatterns />
      <DataPatterns />
    </main>
  );
}
