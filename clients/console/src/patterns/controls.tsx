import { type ReactNode } from "react";
import { ButtonPatterns } from "./control-buttons.tsx";
import { DialogPatterns } from "./control-dialogs.tsx";
import { FieldPatterns } from "./control-fields.tsx";

/** What is pressed, typed in, chosen and opened. */
export function ControlPatterns(): ReactNode {
  return (
    <section className="flex flex-col gap-8">
      <h2 className="text-lg font-semibold">Controls</h2>
      <ButtonPatterns />
      <FieldPatterns />
      <DialogPatterns />
    </section>
  );
}
