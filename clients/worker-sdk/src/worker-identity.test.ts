import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createWorkerIdentity } from "./index.ts";

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "svc-worker-"));
  path = join(directory, "token");
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(directory, { recursive: true });
});

/** Puts a token in place as the kubelet does: a new directory, and a link that is swapped at once. */
function project(token: string): void {
  const version = mkdtempSync(join(directory, "..version-"));
  writeFileSync(join(version, "token"), token);
  symlinkSync(version, join(directory, "..data_tmp"));
  renameSync(join(directory, "..data_tmp"), join(directory, "..data"));
}

const fileIdentity = () => createWorkerIdentity({ env: {}, tokenFile: path });

describe("a worker's token", () => {
  it("is SERVER_API_TOKEN wherever that is set", async () => {
    writeFileSync(path, "from-file");
    const env = { SERVER_API_TOKEN: " svc_token\n", SVC_WORKLOAD_TOKEN_FILE: path };
    const identity = createWorkerIdentity({ env, tokenFile: path });
    expect(await identity.token()).toBe("svc_token");
    expect(await identity.renew()).toBe("svc_token");
  });

  it.each([
    ["is not set", {}],
    ["is empty", { SERVER_API_TOKEN: "" }],
    ["is blank", { SERVER_API_TOKEN: " " }],
  ])("comes from the file where SERVER_API_TOKEN %s", async (_what, env) => {
    writeFileSync(path, "from-file\n");
    const identity = createWorkerIdentity({ env: { ...env, SVC_WORKLOAD_TOKEN_FILE: path } });
    expect(await identity.token()).toBe("from-file");
  });

  it("comes from the file that the code names rather than the one of the environment", async () => {
    writeFileSync(path, "from-code");
    const identity = createWorkerIdentity({ env: { SVC_WORKLOAD_TOKEN_FILE: "/nowhere" }, tokenFile: path });
    expect(await identity.token()).toBe("from-code");
  });

  it("is the new one at the first call after the kubelet replaced it", async () => {
    project("first");
    symlinkSync(join("..data", "token"), path);
    const identity = fileIdentity();
    expect(await identity.token()).toBe("first");
    project("second");
    expect(await identity.token()).toBe("second");
    project("third!");
    expect(await identity.token()).toBe("third!");
  });

  it("is the new one after the same file was written to", async () => {
    writeFileSync(path, "first");
    const identity = fileIdentity();
    expect(await identity.token()).toBe("first");
    writeFileSync(path, "another");
    expect(await identity.token()).toBe("another");
  });

  it("is read again after ten seconds where nothing tells that the file has changed, or when asked to", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const changedAt = new Date("2030-01-01T00:00:00Z");
    const write = (token: string): void => {
      writeFileSync(path, token);
      utimesSync(path, changedAt, changedAt);
    };
    write("first");
    const identity = fileIdentity();
    expect(await identity.token()).toBe("first");
    write("again");
    vi.advanceTimersByTime(9_999);
    expect(await identity.token()).toBe("first");
    vi.advanceTimersByTime(1);
    expect(await identity.token()).toBe("again");
    write("third");
    expect(await identity.renew()).toBe("third");
    expect(await identity.token()).toBe("third");
  });

  it("missing altogether is told with what to set", async () => {
    await expect(fileIdentity().token()).rejects.toThrow(
      `This worker has no identity: there is no token file ${path}. In Kubernetes, mount a projected service account ` +
        "token there, or name another file in SVC_WORKLOAD_TOKEN_FILE. Elsewhere, set SERVER_API_TOKEN to an API token.",
    );
    await expect(createWorkerIdentity({ env: {} }).token()).rejects.toThrow("/var/run/secrets/svc/token");
  });

  it("is not an empty text", async () => {
    writeFileSync(path, "\n");
    await expect(fileIdentity().token()).rejects.toThrow(`The token file ${path} is empty.`);
  });

  it("that cannot be read is told apart from one that is missing", async () => {
    mkdirSync(path);
    await expect(fileIdentity().token()).rejects.toThrow(`The token file ${path} cannot be read (EISDIR).`);
  });
});
