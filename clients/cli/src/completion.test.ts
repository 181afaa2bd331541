import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InstalledSvc, installSvc } from "./testing/run-svc.ts";

let svc: InstalledSvc;
let bash: string;

beforeAll(async () => {
  svc = await installSvc();
  const login = {
    api_url: "http://localhost:8080",
    api_key: "svc_key",
    org: { id: "o", slug: "o", name: "O" },
    user: null,
  };
  mkdirSync(svc.configDir, { mode: 0o700 });
  const contexts = { work: login, "localhost:8080": login, "localhost:9090": login };
  writeFileSync(join(svc.configDir, "config.json"), JSON.stringify({ version: 1, current: null, contexts }), {
    mode: 0o600,
  });
  bash = (await svc.run(["completion", "bash"])).stdout;
});
afterAll(() => svc.remove());

/** What a real bash would offer at the end of this line, breaking words as an interactive one does. */
function complete(line: string): string[] {
  const script = `${bash}
COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
COMP_LINE=$1 COMP_POINT=\${#1}
_svc
printf '%s\\n' "\${COMPREPLY[@]}"
complete -p svc >&2`;
  const env = {
    PATH: `${join(svc.path, "..")}:${join(process.execPath, "..")}:/usr/bin:/bin`,
    SVC_CONFIG_DIR: svc.configDir,
  };
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script, "bash", line], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  expect(stderr).toBe("complete -F _svc svc\n");
  return stdout.split("\n").filter((word) => word !== "");
}

describe("completion in bash", () => {
  it.each([
    ["svc da", ["datasource"]],
    ["svc datasource ", ["list", "query", "help"]],
    ["svc datasource q", ["query"]],
    ["svc -o json db c", ["create", "connect"]],
    ["svc --context db db re", ["restore"]],
    ["svc db create notes --des", ["--description"]],
    ["svc datasource query db_notes x --t", ["--top-k", "--target", "--timeout"]],
    ["svc -o ", ["table", "json", "yaml"]],
    ["svc datasource list --output j", ["json"]],
    ["svc datasource query db_notes --filter ", []],
    ["svc context use ", ["work", "localhost:8080", "localhost:9090"]],
    ["svc context use localhost:9", ["9090"]],
    ["svc --context w", ["work"]],
    ["svc completion ", ["bash", "zsh", "fish"]],
    ["svc logout ", []],
    ["svc nope", []],
  ])("offers for %j", (line, expected) => {
    const offered = complete(line).filter(
      (word) => line.endsWith("-") || /--?[a-z]*$/.test(line) || !word.startsWith("-"),
    );
    expect(offered).toEqual(expected);
  });

  it("offers options that take effect everywhere", () => {
    expect(complete("svc db list -")).toEqual(expect.arrayContaining(["--help", "--output", "--context", "--timeout"]));
  });
});

describe("completion elsewhere", () => {
  it("is made of the same commands for zsh and fish", async () => {
    const zsh = (await svc.run(["completion", "zsh"])).stdout;
    expect(zsh).toMatch(/^#compdef svc\n/);
    expect(zsh).toContain("('datasource query')");
    expect(zsh).toContain("'--top-k:how many hits, 1 to 20 (default\\: 10)'");
    const fish = (await svc.run(["completion", "fish"])).stdout;
    expect(fish).toContain(
      `complete -c svc -n '__svc_at \\'datasource\\'' -a 'query' -d 'search a data source by meaning'\n`,
    );
    expect(fish).toContain("complete -c svc -s o -l output -x -a 'table json yaml'\n");
  });

  it("is refused for a shell that is not known", async () => {
    expect(await svc.run(["completion", "tcsh"])).toMatchObject({ exit: 5, stdout: "" });
  });
});
