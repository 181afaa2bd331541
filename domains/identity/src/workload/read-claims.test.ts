import { describe, expect, it } from "vitest";
import { looksLikeWorkloadToken, readUnverifiedClaims } from "./read-claims.ts";
import { AUDIENCE, workloadToken } from "./testing/workload-token.ts";

const jwtOf = (payload: string): string => `e30.${Buffer.from(payload).toString("base64url")}.c2ln`;

describe("what looks like a workload's token", () => {
  it.each([
    ["one that the kubelet projects", workloadToken()],
    ["one with the claim of Kubernetes alone", workloadToken({ sub: "somebody" })],
    ["one with the subject of a service account alone", workloadToken({ "kubernetes.io": undefined })],
  ])("is %s", (_what, token) => {
    expect(looksLikeWorkloadToken(token)).toBe(true);
  });

  it.each([
    ["an API token", "svc_0123456789abcdefghijABCDEFGHIJ0123456789"],
    ["a token of a person", workloadToken({ sub: "usr_1", "kubernetes.io": undefined })],
    ["a subject that is no text", workloadToken({ sub: 7, "kubernetes.io": undefined })],
    ["two parts", workloadToken().split(".").slice(0, 2).join(".")],
    ["four parts", `${workloadToken()}.x`],
    ["a payload that is no JSON", jwtOf("kubernetes.io")],
    ["a payload that is a text", jwtOf('"kubernetes.io"')],
    ["a payload that is null", jwtOf("null")],
    ["more than 8 KiB", workloadToken({ padding: "x".repeat(8_192) })],
    ["nothing", ""],
  ])("is not %s", (_what, token) => {
    expect(looksLikeWorkloadToken(token)).toBe(false);
    expect(readUnverifiedClaims(token)).toBeUndefined();
  });
});

describe("the claims of a workload's token", () => {
  it("are read with one audience as with several", () => {
    expect(readUnverifiedClaims(workloadToken())?.aud).toEqual([AUDIENCE]);
    expect(readUnverifiedClaims(workloadToken({ aud: "one" }))?.aud).toEqual(["one"]);
  });

  it.each([
    ["an end", { exp: undefined }],
    ["an end that is a number", { exp: "tomorrow" }],
    ["an end that a date can hold", { exp: 1e300 }],
    ["an audience", { aud: undefined }],
    ["an issuer", { iss: undefined }],
  ])("are not read without %s", (_what, changes) => {
    expect(readUnverifiedClaims(workloadToken(changes))).toBeUndefined();
  });
});
