import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { AppError } from "@svc/platform/errors";
import { recordingLogger, silentLogger } from "@svc/platform/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type KubeStandIn, startKubeStandIn } from "./testing/kube-stand-in.ts";
import { createWorkloadReviewer, type WorkloadReviewer } from "./review-workload.ts";
import { answerReviewsWith, AUDIENCE, workloadToken } from "./testing/workload-token.ts";

let kube: KubeStandIn;
let reviewer: WorkloadReviewer;

beforeEach(async () => {
  kube = await startKubeStandIn();
  answerReviewsWith(kube);
  reviewer = createWorkloadReviewer({ audience: AUDIENCE, kube: kube.connection, log: silentLogger() });
});
afterEach(() => kube.close());

const nextToken = (): string => workloadToken({ jti: Math.random() });

async function failureOf(asking: Promise<unknown>): Promise<{ error: AppError; cause: string }> {
  const error = await asking.catch((thrown: unknown) => thrown);
  if (!(error instanceof AppError)) throw new Error("was answered");
  return { error, cause: String(error.cause) };
}

describe("while Kubernetes cannot be asked", () => {
  it.each<[string, (standIn: KubeStandIn) => void, RegExp]>([
    ["it fails", (standIn) => (standIn.answer = () => ({ status: 500, body: {} })), /answered 500 to POST/],
    ["it has too much to do", (standIn) => (standIn.answer = () => ({ status: 429, body: {} })), /answered 429/],
    ["it does not know us", (standIn) => (standIn.answer = () => ({ status: 401, body: {} })), /answered 401/],
    [
      "it answers in no JSON",
      (standIn) => (standIn.answer = () => ({ status: 200, body: "<html>" })),
      /something else than a TokenReview/,
    ],
    [
      "it answers something else",
      (standIn) => (standIn.answer = () => ({ status: 201, body: {} })),
      /something else than a TokenReview/,
    ],
    ["it does not answer", (standIn) => (standIn.answer = () => "never"), /AbortError/],
    ["it is not there", (standIn) => void standIn.server.close(), /ECONNREFUSED/],
    ["our credential is missing", (standIn) => rmSync(standIn.connection.tokenFile), /ENOENT/],
    [
      "a stranger is in its place",
      (standIn) => {
        copyFileSync(standIn.connection.caFile, `${standIn.connection.caFile}.old`);
        standIn.renewCertificate();
        copyFileSync(`${standIn.connection.caFile}.old`, standIn.connection.caFile);
      },
      /certificate/,
    ],
  ])("because %s, a token is neither accepted nor refused", async (_what, breakIt, reason) => {
    breakIt(kube);
    const { error, cause } = await failureOf(reviewer.review(nextToken()));
    expect(error).toMatchObject({ code: "UNAVAILABLE", retryAfterSeconds: 1 });
    expect(cause).toMatch(reason);
  });

  it("what was not answered is not remembered", async () => {
    const token = nextToken();
    kube.answer = () => ({ status: 500, body: {} });
    await failureOf(reviewer.review(token));
    answerReviewsWith(kube);
    expect(await reviewer.review(token)).toMatchObject({ app: "shop" });
  });

  it("the service account's labels are not guessed", async () => {
    const answerBoth = kube.answer;
    kube.answer = (question) => (question.method === "GET" ? { status: 503, body: {} } : answerBoth(question));
    const { cause } = await failureOf(reviewer.review(nextToken()));
    expect(cause).toMatch(/answered 503 to GET/);
  });
});

describe("the auth service's own credentials", () => {
  it("are read again after the kubelet replaced them", async () => {
    await reviewer.review(nextToken());
    writeFileSync(kube.connection.tokenFile, "reviewer-2");
    kube.asked = [];
    await reviewer.review(nextToken());
    expect(kube.asked.map(({ credential }) => credential)).toEqual(["Bearer reviewer-2", "Bearer reviewer-2"]);
  });

  it("include the authority that the cluster trusts now", async () => {
    expect(await reviewer.review(nextToken())).toBeDefined();
    kube.renewCertificate();
    kube.server.closeAllConnections();
    expect(await reviewer.review(nextToken())).toBeDefined();
  });

  it("refuse everyone, and say what to grant, where they were given no rights", async () => {
    kube.answer = () => ({ status: 403, body: {} });
    const { log, lines } = recordingLogger();
    const unprivileged = createWorkloadReviewer({ audience: AUDIENCE, kube: kube.connection, log });
    expect(await unprivileged.review(nextToken())).toBeUndefined();
    expect(lines[0]?.["refused"]).toBe(
      "Kubernetes answered 403 to POST /apis/authentication.k8s.io/v1/tokenreviews: " +
        'grant "tokenreviews create" and "serviceaccounts get" to the auth service',
    );
  });
});

describe("a kept connection", () => {
  it("that was closed in the meantime costs no answer", async () => {
    let connections = 0;
    kube.server.on("secureConnection", () => (connections += 1));
    await reviewer.review(nextToken());
    await reviewer.review(nextToken());
    expect(connections).toBe(1);
    // Cut before the answer, as when the API server closes an idle connection at the moment it is used again.
    kube.server.prependOnceListener("request", (request) => request.socket.destroy());
    expect(await reviewer.review(nextToken())).toMatchObject({ app: "shop" });
    expect(connections).toBe(2);
  });
});
