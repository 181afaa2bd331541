import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PrivateServices, ROOT, startPrivateServices } from "@svc/dev";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DevProcess, startDev } from "./dev-process.ts";
import { type TerminalOutput, type } from "./terminal.ts";

const FIRST_PORT = 14_800;
const API_URL = `http://127.0.0.1:${FIRST_PORT}`;
const QUESTION = "How do I get the money back that I spent on a business trip?";

let services: PrivateServices;
let dev: DevProcess;
let configDirectory: string | undefined;
let mute: Server;
const sockets = new Set<Socket>();

/** What a person types in the second terminal. */
const svc = (line: string): Promise<TerminalOutput> => terminal(`tools/svc ${line}`);
const terminal = (line: string): Promise<TerminalOutput> => type(line, { SVC_CONFIG_DIR: configDirectory ?? "" });

async function put(path: string, body: unknown): Promise<Response> {
  return fetch(new URL(path, API_URL), {
    method: "PUT",
    headers: { authorization: `Bearer ${dev.token}`, "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

beforeAll(async () => {
  services = await startPrivateServices();
  dev = await startDev(services, FIRST_PORT);
  configDirectory = await mkdtemp(join(tmpdir(), "svc-config-"));
  mute = createServer((socket) => sockets.add(socket)).listen(0, "127.0.0.1");
  await once(mute, "listening");
}, 120_000);

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  mute?.close();
  await dev?.stop();
  await services?.destroy();
  if (configDirectory) await rm(configDirectory, { recursive: true, force: true });
});

describe("from nothing to the first answer, in a terminal", () => {
  it("says that nobody is logged in, and what to do: exit 3", async () => {
    const { code, text } = await svc("datasource list");
    expect(code).toBe(3);
    expect(text).toContain("svc login");
  });

  it("logs in, and keeps the key where only its owner reads it", async () => {
    const { code, text } = await terminal(`SVC_API_KEY=${dev.token} tools/svc login --api-url ${API_URL}`);
    expect([code, text]).toEqual([0, expect.stringContaining("Demo")]);
    expect(text).not.toContain(dev.token);
    const status = JSON.parse((await svc("status --json")).text);
    expect(status).toMatchObject({ logged_in: true });
    const { mode } = await stat(join(configDirectory ?? "", "config.json"));
    expect(mode & 0o777).toBe(0o600);
  });

  it("makes a database and loads the demo table with vectors of the offline model", async () => {
    const created = await svc("db create notes");
    expect([created.code, created.text]).toEqual([0, expect.stringContaining("notes")]);
    const connect = await svc("db connect notes -q");
    expect(connect.text.trim()).toMatch(/^postgres:\/\/\S+$/);
    const loaded = await terminal('pnpm --silent demo:load "$(tools/svc db connect notes -q)"');
    expect([loaded.code, loaded.text]).toEqual([0, expect.stringContaining("loaded 22 rows")]);
  });

  it("saves the search configuration of the guide and exposes the source", async () => {
    const saved = await put(
      "/api/wf/data-sources/db_notes",
      await readFile(join(ROOT, "docs/examples/notes-search.json"), "utf8"),
    );
    expect([saved.status, await saved.json()]).toEqual([200, expect.objectContaining({ search_configured: true })]);
    expect((await svc("datasource list")).text).not.toContain("db_notes");
    expect((await put("/api/wf/data-sources/db_notes/exposure", { exposed: true, min_role: "viewer" })).status).toBe(
      200,
    );
  });

  it("lists the source as a table and as JSON", async () => {
    const table = await svc("datasource list");
    expect(table.code).toBe(0);
    expect(table.text).toMatch(/^ID +NAME +MIN ROLE +FILTERS +DESCRIPTION/m);
    expect(table.text).toMatch(/^db_notes +notes +viewer +.*team.*string.*year.*number/m);
    const { items } = JSON.parse((await svc("datasource list -o json")).text);
    expect(items).toEqual([
      expect.objectContaining({ id: "db_notes", filters: { team: "string", year: "number" }, targets: ["handbook"] }),
    ]);
  });

  it("answers with the sensible page first, for people and as JSON", async () => {
    const asked = await svc(`datasource query db_notes "${QUESTION}"`);
    expect(asked.code).toBe(0);
    expect(asked.text).toMatch(/^ *1 .*Travel expenses/m);
    const answer = JSON.parse((await svc(`datasource query db_notes "${QUESTION}" --top-k 3 -o json`)).text);
    expect(answer).toMatchObject({
      count: 3,
      results: [{ title: "Travel expenses", metadata: { team: "finance", _target: "handbook" } }, {}, {}],
    });
  });

  it("narrows by filters: the same column twice is either value, different columns must all match", async () => {
    const line = `datasource query db_notes "rules" --filter team=security --filter team=it --filter year=2026 -o json`;
    const { results } = JSON.parse((await svc(line)).text);
    expect(results.map(({ title }: { title: string }) => title).toSorted()).toEqual([
      "New laptop",
      "Phishing",
      "Two-factor sign-in",
    ]);
    const target = JSON.parse(
      (await svc(`datasource query db_notes "rules" --target handbook --top-k 1 -o json`)).text,
    );
    expect(target.count).toBe(1);
  });

  it("is on record as asked from the command line", async () => {
    await expect
      .poll(async () => {
        const response = await fetch(`${API_URL}/api/wf/activity?type=data_sources&source=cli`, {
          headers: { authorization: `Bearer ${dev.token}` },
        });
        return ((await response.json()) as { items: unknown[] }).items.length;
      })
      .toBe(4);
  });
});

describe("what goes wrong ends with its own exit code and a word on what to do", () => {
  it("a key that is not good: 3", async () => {
    const { code, text } = await svc(`datasource list --api-key svc_${"0".repeat(38)}`);
    expect([code, text]).toEqual([3, expect.stringContaining("error:")]);
  });

  it("a source that is not there: 4", async () => {
    const { code, text } = await svc(`datasource query db_none "anything"`);
    expect([code, text]).toEqual([4, expect.stringContaining("No such data source")]);
  });

  it.each([
    [`datasource query db_notes "x" --filter secret=1`, "Filterable columns: team (string), year (number)"],
    [`datasource query db_notes "x" --top-k 21`, "20"],
    [`datasource query db_notes "x" --filter nonsense`, "column=value"],
    [`datasource query db_notes`, "question"],
    [`datasource ask`, "unknown command 'ask'"],
  ])("a question that is not valid: 5 (%s)", async (line, hint) => {
    const { code, text } = await svc(line);
    expect([code, text]).toEqual([5, expect.stringContaining(hint)]);
  });

  it("a server that does not answer in time: 7", async () => {
    const url = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const { code, text } = await svc(`datasource list --api-url ${url} --api-key ${dev.token} --timeout 1`);
    expect([code, text]).toEqual([7, expect.stringContaining("error:")]);
  });
});
