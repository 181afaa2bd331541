import { recordingLogger } from "@svc/platform/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ISSUER } from "../user-token.ts";
import { type KubeStandIn, startKubeStandIn } from "./testing/kube-stand-in.ts";
import { createWorkloadReviewer, type WorkloadReviewer } from "./review-workload.ts";
import { ACCOUNT, answerReviewsWith, AUDIENCE, REVIEW, workloadToken } from "./testing/workload-token.ts";

let kube: KubeStandIn;
let reviewer: WorkloadReviewer;
let lines: ReturnType<typeof recordingLogger>["lines"];

beforeAll(async () => {
  kube = await startKubeStandIn();
});
afterAll(() => kube.close());
beforeEach(() => {
  const recording = recordingLogger();
  ({ lines } = recording);
  kube.asked = [];
  answerReviewsWith(kube);
  reviewer = createWorkloadReviewer({ audience: AUDIENCE, kube: kube.connection, log: recording.log });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a workload", () => {
  it("is who Kubernetes and the labels of its service account say", async () => {
    const exp = Math.floor(Date.now() / 1_000) + 3_600;
    const token = workloadToken({ exp });
    expect(await reviewer.review(token)).toEqual({
      namespace: "apps",
      serviceAccount: "shop-worker",
      podName: "shop-worker-0",
      orgRef: "acme",
      app: "shop",
      expiresAt: new Date(exp * 1_000),
    });
    expect(kube.asked).toEqual([
      {
        method: "POST",
        path: "/apis/authentication.k8s.io/v1/tokenreviews",
        credential: "Bearer reviewer-1",
        body: {
          apiVersion: "authentication.k8s.io/v1",
          kind: "TokenReview",
          spec: { token, audiences: [AUDIENCE] },
        },
      },
      {
        method: "GET",
        path: "/api/v1/namespaces/apps/serviceaccounts/shop-worker",
        credential: "Bearer reviewer-1",
        body: undefined,
      },
    ]);
  });

  const { user } = REVIEW;
  it.each<[string, unknown, unknown, string]>([
    ["Kubernetes says no", {}, ACCOUNT, "does not vouch"],
    ["Kubernetes says no and names somebody", { ...REVIEW, authenticated: false }, ACCOUNT, "does not vouch"],
    ["Kubernetes names nobody", { ...REVIEW, user: undefined }, ACCOUNT, "does not vouch"],
    ["the audience is another's", { ...REVIEW, audiences: ["other"] }, ACCOUNT, "not for the audience"],
    ["audiences are not looked at", { ...REVIEW, audiences: undefined }, ACCOUNT, "not for the audience"],
    [
      "the group is missing",
      { ...REVIEW, user: { ...user, groups: ["system:authenticated"] } },
      ACCOUNT,
      "not that of",
    ],
    ["it is a person", { ...REVIEW, user: { ...user, username: "ada" } }, ACCOUNT, "not that of"],
    [
      "its name leads elsewhere",
      { ...REVIEW, user: { ...user, username: `${user.username}/..` } },
      ACCOUNT,
      "not that",
    ],
    ["it is bound to no pod", { ...REVIEW, user: { ...user, extra: undefined } }, ACCOUNT, "not bound to a pod"],
    ["the service account is gone", REVIEW, null, "is gone"],
    ["the service account was made anew", REVIEW, { ...ACCOUNT, uid: "another" }, "made anew"],
    ["no label names the organization", REVIEW, { ...ACCOUNT, labels: { "svc.dev/app": "shop" } }, "svc.dev/org"],
    ["no label names the app", REVIEW, { ...ACCOUNT, labels: { "svc.dev/org": "acme" } }, "svc.dev/app"],
    ["there is no label at all", REVIEW, { uid: ACCOUNT.uid }, "svc.dev/org"],
  ])("is refused where %s, and the operator learns why", async (_what, status, account, reason) => {
    answerReviewsWith(kube, status, account);
    const token = workloadToken();
    expect(await reviewer.review(token)).toBeUndefined();
    expect(lines).toMatchObject([{ level: "info", msg: "workload token refused", refused: expect.any(String) }]);
    expect(lines[0]?.["refused"]).toContain(reason);
    expect(JSON.stringify(lines)).not.toContain(token.slice(-40));
  });

  it.each([
    ["no JWT", "rubbish"],
    ["longer than 8 KiB", workloadToken({ padding: "x".repeat(8_192) })],
    ["of ours", workloadToken({ iss: ISSUER })],
    ["past its end", workloadToken({ exp: Math.floor(Date.now() / 1_000) - 1 })],
    ["without an end", workloadToken({ exp: undefined })],
    ["for somebody else", workloadToken({ aud: ["https://kubernetes.default.svc"] })],
  ])("is refused without a question to Kubernetes if its token is %s", async (_what, token) => {
    expect(await reviewer.review(token)).toBeUndefined();
    expect(kube.asked).toEqual([]);
  });
});

describe("an answer of Kubernetes", () => {
  it("serves everyone who asks for the same token at once", async () => {
    const token = workloadToken();
    const workloads = await Promise.all(Array.from({ length: 1_000 }, () => reviewer.review(token)));
    expect(workloads.every((workload) => workload?.app === "shop")).toBe(true);
    expect(kube.reviews()).toBe(1);
  });

  it("is relied on for a minute if it was yes", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const token = workloadToken();
    await reviewer.review(token);
    vi.advanceTimersByTime(59_999);
    await reviewer.review(token);
    expect(kube.reviews()).toBe(1);
    answerReviewsWith(kube, {});
    vi.advanceTimersByTime(1);
    expect(await reviewer.review(token)).toBeUndefined();
    expect(kube.reviews()).toBe(2);
  });

  it("is relied on until the token ends and no longer", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2030-01-01T00:00:00Z") });
    const token = workloadToken({ exp: Date.now() / 1_000 + 10 });
    expect(await reviewer.review(token)).toBeDefined();
    vi.advanceTimersByTime(9_999);
    expect(await reviewer.review(token)).toBeDefined();
    vi.advanceTimersByTime(1);
    expect(await reviewer.review(token)).toBeUndefined();
    expect(kube.reviews()).toBe(1);
  });

  it("is relied on for five seconds if it was no", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    answerReviewsWith(kube, {});
    const token = workloadToken();
    await reviewer.review(token);
    answerReviewsWith(kube);
    vi.advanceTimersByTime(4_999);
    expect(await reviewer.review(token)).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(await reviewer.review(token)).toBeDefined();
    expect(kube.reviews()).toBe(2);
  });

  it("is for one token alone", async () => {
    await reviewer.review(workloadToken());
    answerReviewsWith(kube, {});
    expect(await reviewer.review(workloadToken({ jti: "another" }))).toBeUndefined();
  });
});
