import type { ConnectorClaims } from "@svc/platform/http";
import { newId } from "@svc/platform/ids";
import { expect, it, vi } from "vitest";
import { rememberClaims } from "./remembered-claims.ts";

const claims = (expiresInMs: number): ConnectorClaims => ({
  userId: newId("usr"),
  orgId: newId("org"),
  clientId: "x",
  grantId: newId("grt"),
  scopes: [],
  expiresAt: new Date(Date.now() + expiresInMs),
});

it("checks a token once while it is good, and each token by itself", async () => {
  const read = vi.fn(async () => claims(60_000));
  const remembering = rememberClaims(read);
  const first = await remembering("a");
  expect(await remembering("a")).toBe(first);
  expect(await remembering("b")).not.toBe(first);
  expect(read.mock.calls).toEqual([["a"], ["b"]]);
});

it("checks again what has expired since, and forgets it when it is refused", async () => {
  let answer: ConnectorClaims | undefined = claims(-1);
  const read = vi.fn(async () => answer);
  const remembering = rememberClaims(read);
  await remembering("a");
  answer = undefined;
  expect(await remembering("a")).toBeUndefined();
  expect(read).toHaveBeenCalledTimes(2);
});

it("does not remember what was refused", async () => {
  let answer: ConnectorClaims | undefined;
  const remembering = rememberClaims(async () => answer);
  expect(await remembering("a")).toBeUndefined();
  answer = claims(60_000);
  expect(await remembering("a")).toBe(answer);
});

it("remembers no more than 10,000, the newest", async () => {
  const read = vi.fn(async () => claims(60_000));
  const remembering = rememberClaims(read);
  for (let n = 0; n <= 10_000; n += 1) await remembering(`token ${n}`);
  read.mockClear();
  await remembering("token 10000");
  await remembering("token 1");
  expect(read).not.toHaveBeenCalled();
  await remembering("token 0");
  expect(read).toHaveBeenCalledTimes(1);
});
