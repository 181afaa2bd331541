import { describe, expect, it } from "vitest";
import { recordingLogger } from "../testing/index.ts";
import { createLogger } from "./logger.ts";

describe("the log", () => {
  it.each(["authorization", "cookie", "password", "token", "secret", "client_secret", "refresh_token"])(
    "does not show what stands under the name %s, at the top or one level down",
    (name) => {
      const { log, lines } = recordingLogger();
      log.info({ [name]: "hunter2", kept: "yes" }, "at the top");
      log.child({ [name]: "hunter2" }).info({ headers: { [name]: "hunter2", host: "example.com" } }, "below");
      expect(JSON.stringify(lines)).not.toContain("hunter2");
      expect(lines[0]).toMatchObject({ [name]: "[redacted]", kept: "yes" });
      expect(lines[1]).toMatchObject({ headers: { [name]: "[redacted]", host: "example.com" } });
    },
  );

  it("has a line of JSON for each message, with the time, the level in words and the service", () => {
    const written: string[] = [];
    const log = createLogger({
      service: "worker",
      level: "warn",
      destination: { write: (line) => written.push(line) },
    });
    log.info("too quiet");
    log.warn({ err: new Error("broken", { cause: new Error("the cause") }) }, "careful");
    expect(written).toHaveLength(1);
    expect(written[0]?.endsWith("\n")).toBe(true);
    expect(JSON.parse(written[0] ?? "")).toEqual({
      level: "warn",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      service: "worker",
      err: expect.objectContaining({ type: "Error", message: "broken: the cause" }),
      msg: "careful",
    });
  });

  it("names no trace outside of one", () => {
    const { log, lines } = recordingLogger();
    log.info("alone");
    expect(lines[0]).not.toHaveProperty("trace_id");
  });
});
