import { expect, it } from "vitest";
import { askCommand, svcCommands } from "./snippets.ts";

const ORIGIN = "https://svc.example.com";

it("keeps a quote in a question from ending the command", () => {
  expect(svcCommands(ORIGIN, "db_notes", "what's new?")).toContain(
    String.raw`svc datasource query db_notes 'what'\''s new?' --top-k 5`,
  );
});

it("asks exactly this source, for YAML", () => {
  const command = askCommand(ORIGIN, "db_notes", "refunds");
  expect(command).toContain(`curl "${ORIGIN}/api/wf/slim/data-sources/db_notes/query"`);
  expect(command).toContain("Accept: application/yaml");
});
