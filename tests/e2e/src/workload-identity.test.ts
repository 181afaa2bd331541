import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TokenValidation } from "@svc/contract";
import { prepareStack, type PrivateServices, type ServiceProcess, type Stack, startPrivateServices } from "@svc/dev";
import { waitUntil } from "@svc/platform/testing";
import { ApiProblem, createWorkerClient } from "@svc/worker-sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type KubeApiServer, startKubeApiServer } from "./kube-api-server.ts";
import {
  applyManifestsOf,
  createNamespace,
  createPod,
  createServiceAccount,
  isVouchedFor,
  mintToken,
  remove,
} from "./kube-objects.ts";

const AUDIENCE = "svc-control-plane";
const REFUSED = { valid: false, reason: "Invalid or expired API token" };
const WORKER = { namespace: "apps", serviceAccount: "shop-worker", pod: "shop-worker-0", audience: AUDIENCE };

let kube: KubeApiServer;
let services: PrivateServices;
let stack: Stack;
let auth: ServiceProcess;
let settings: Record<string, string>;
let apiToken: string;
let org: { id: string; slug: string; name: string };
let reviewerToken: string;

beforeAll(async () => {
  // Waits for both, so that nothing is left behind if one does not start.
  const starts = await Promise.allSettled([startKube(), startStack()]);
  for (const start of starts) if (start.status === "rejected") throw start.reason;
  await createNamespace(kube, "svc");
  await createNamespace(kube, "apps");
  await createServiceAccount(kube, "svc", "auth-service");
  await applyManifestsOf(kube, "docs/workload-identity.md");
  await createPod(kube, "apps", "shop-worker");

  reviewerToken = await mintToken(kube, { namespace: "svc", serviceAccount: "auth-service" });
  const reviewerFile = join(kube.directory, "reviewer");
  writeFileSync(reviewerFile, reviewerToken);
  settings = {
    WORKLOAD_IDENTITY_ENABLED: "true",
    KUBE_API_SERVER: kube.url,
    KUBE_CA_FILE: kube.caFile,
    KUBE_TOKEN_FILE: reviewerFile,
  };
  [auth] = await Promise.all([stack.start("auth-service", settings), stack.start("api-gateway")]);
  apiToken = await stack.issueToken();
  const owner = await validate(apiToken);
  if (!owner.valid) throw new Error("the owner's token was refused");
  ({ org } = owner);
}, 120_000);

async function startKube(): Promise<void> {
  kube = await startKubeApiServer();
}

async function startStack(): Promise<void> {
  services = await startPrivateServices();
  stack = await prepareStack(services);
}

afterAll(async () => {
  await stack?.stop();
  await Promise.all([services?.destroy(), kube?.stop()]);
});

async function ask(token: string): Promise<Response> {
  return fetch(`${stack.urlOf("auth-service")}/api/v1/tokens/validate`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
}

async function validate(token: string): Promise<TokenValidation> {
  const response = await ask(token);
  expect(response.status).toBe(200);
  return (await response.json()) as TokenValidation;
}

/** A token of a pod whose service account has these labels. */
async function tokenOf(serviceAccount: string, labels: Record<string, string>): Promise<string> {
  await createServiceAccount(kube, "apps", serviceAccount, labels);
  const pod = await createPod(kube, "apps", serviceAccount);
  return mintToken(kube, { ...WORKER, serviceAccount, pod });
}

function workerEnv(tokenFile: string): Record<string, string> {
  return { SVC_API_URL: stack.urlOf("api-gateway"), SVC_WORKLOAD_TOKEN_FILE: tokenFile };
}

function withClaims(token: string, change: (claims: Record<string, unknown>) => object): string {
  const [head, payload = "", signature] = token.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
  return [head, Buffer.from(JSON.stringify(change(claims))).toString("base64url"), signature].join(".");
}

function endOf(token: string): string {
  const { exp } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { exp: number };
  return new Date(exp * 1_000).toISOString();
}

describe("the token of a pod", () => {
  it("stands for the organization and the app of its service account", async () => {
    const token = await mintToken(kube, WORKER);
    const expected = { valid: true, kind: "workload", org, role: "developer", app: "shop", cache_seconds: 5 };
    expect(await validate(token)).toEqual({ ...expected, expires_at: endOf(token) });
  });

  it("stands for an organization that is labelled by its id", async () => {
    const token = await tokenOf("labelled-by-id", { "svc.dev/org": org.id, "svc.dev/app": "billing" });
    expect(await validate(token)).toMatchObject({ valid: true, org, app: "billing" });
  });

  it.each<[string, () => Promise<string>, RegExp]>([
    ["that is not bound to a pod", () => mintToken(kube, { ...WORKER, pod: "" }), /the token is not bound to a pod/],
    [
      "with a changed payload",
      async () => withClaims(await mintToken(kube, WORKER), (claims) => ({ ...claims, jti: "forged" })),
      /Kubernetes does not vouch for the token/,
    ],
    [
      "whose service account was deleted",
      async () => {
        const token = await tokenOf("deleted-account", { "svc.dev/org": org.slug, "svc.dev/app": "shop" });
        await remove(kube, "/api/v1/namespaces/apps/serviceaccounts/deleted-account");
        return token;
      },
      // The API server itself learns of it a moment later.
      /Kubernetes does not vouch for the token|the service account is gone/,
    ],
    [
      "whose pod was deleted",
      async () => {
        const token = await tokenOf("deleted-pod", { "svc.dev/org": org.slug, "svc.dev/app": "shop" });
        const other = await mintToken(kube, { ...WORKER, serviceAccount: "deleted-pod", pod: "deleted-pod-0" });
        await remove(kube, "/api/v1/namespaces/apps/pods/deleted-pod-0");
        await waitUntil(async () => !(await isVouchedFor(kube, other, AUDIENCE)), 20_000);
        return token;
      },
      /Kubernetes does not vouch for the token/,
    ],
    ["without labels", () => tokenOf("no-labels", {}), /the service account has no label svc.dev\/org/],
    [
      "without an app",
      () => tokenOf("no-app", { "svc.dev/org": org.slug }),
      /the service account has no label svc.dev\/app/,
    ],
    [
      "of an organization that nobody knows",
      () => tokenOf("unknown-org", { "svc.dev/org": "nobody", "svc.dev/app": "shop" }),
      /the label svc.dev\/org names no organization/,
    ],
  ])("%s is refused, and the log says why without the token", async (_what, make, reason) => {
    const lines = stack.lines["auth-service"] ?? [];
    const before = lines.length;
    const token = await make();
    expect(await validate(token)).toEqual(REFUSED);
    await waitUntil(() => lines.slice(before).some((line) => reason.test(line)));
    expect(lines.join("\n")).not.toContain(token.split(".")[2]);
  });

  it.each<[string, () => Promise<string>]>([
    ["for another audience", () => mintToken(kube, { ...WORKER, audience: "vault" })],
    ["for the API server itself", () => mintToken(kube, { ...WORKER, audience: "" })],
    [
      "past its end",
      async () => {
        const past = Math.floor(Date.now() / 1_000) - 1;
        return withClaims(await mintToken(kube, WORKER), (claims) => ({ ...claims, exp: past }));
      },
    ],
    ["without its signature", async () => (await mintToken(kube, WORKER)).replace(/\.[^.]*$/, "")],
    ["that is garbage", async () => "garbage"],
    ["that is garbage in three parts", async () => "a.b.c"],
  ])("%s is refused without a question to Kubernetes", async (_what, make) => {
    const token = await make();
    const before = await kube.reviewCount();
    expect(await validate(token)).toEqual(REFUSED);
    expect(await kube.reviewCount()).toBe(before);
  });
});

describe("the auth service in the cluster", () => {
  it("asks Kubernetes a handful of times at most for a thousand validations of one token", async () => {
    const token = await mintToken(kube, WORKER);
    const before = await kube.reviewCount();
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => validate(token)));
      expect(answers.every(({ valid }) => valid)).toBe(true);
    }
    const asked = (await kube.reviewCount()) - before;
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(5);
  });

  it("may do what the guide grants and nothing else", async () => {
    const statusOf = async (method: "GET" | "POST" | "DELETE", path: string, body?: object) =>
      (await kube.call(method, path, body, reviewerToken)).status;
    const account = "/api/v1/namespaces/apps/serviceaccounts/shop-worker";
    const review = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token: "none" } };
    expect(await statusOf("POST", "/apis/authentication.k8s.io/v1/tokenreviews", review)).toBe(201);
    expect(await statusOf("GET", account)).toBe(200);
    expect(await statusOf("GET", "/api/v1/secrets")).toBe(403);
    expect(await statusOf("GET", "/api/v1/namespaces/apps/secrets")).toBe(403);
    expect(await statusOf("GET", "/api/v1/serviceaccounts")).toBe(403);
    expect(await statusOf("GET", "/api/v1/namespaces/apps/pods")).toBe(403);
    expect(await statusOf("POST", `${account}/token`, { spec: { audiences: [AUDIENCE] } })).toBe(403);
    expect(await statusOf("DELETE", account)).toBe(403);
  });

  it("answers 503 while Kubernetes does not answer, and goes on by itself", async () => {
    const token = await mintToken(kube, WORKER);
    await kube.signal("SIGSTOP");
    try {
      const response = await ask(token);
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ code: "UNAVAILABLE" });
    } finally {
      await kube.signal("SIGCONT");
    }
    expect(await validate(token)).toMatchObject({ valid: true });
  });
});

describe("a worker with the SDK", () => {
  it("calls the API as its app, and with the new token as soon as the kubelet has replaced it", async () => {
    const tokenFile = join(kube.directory, "worker-token");
    const first = await mintToken(kube, WORKER);
    const second = await mintToken(kube, WORKER);
    writeFileSync(tokenFile, first);
    const worker = createWorkerClient({ env: workerEnv(tokenFile) });
    expect(await worker.whoAmI()).toMatchObject({ kind: "workload", org, app: "shop", expires_at: endOf(first) });
    writeFileSync(`${tokenFile}.new`, second);
    renameSync(`${tokenFile}.new`, tokenFile);
    expect(await worker.whoAmI()).toMatchObject({ kind: "workload", org, app: "shop", expires_at: endOf(second) });
  });

  it("presents SERVER_API_TOKEN rather than its own token", async () => {
    const tokenFile = join(kube.directory, "unused-token");
    writeFileSync(tokenFile, await mintToken(kube, WORKER));
    const worker = createWorkerClient({ env: { ...workerEnv(tokenFile), SERVER_API_TOKEN: apiToken } });
    expect(await worker.whoAmI()).toMatchObject({ kind: "api_token", org, role: "owner" });
  });
});

describe("with workload identity switched off", () => {
  it("the token of a pod is refused and Kubernetes is not asked", async () => {
    await auth.stop();
    await stack.start("auth-service", { ...settings, WORKLOAD_IDENTITY_ENABLED: "false" });
    const token = await mintToken(kube, WORKER);
    const before = await kube.reviewCount();
    expect(await validate(token)).toEqual(REFUSED);
    const tokenFile = join(kube.directory, "refused-token");
    writeFileSync(tokenFile, token);
    const worker = createWorkerClient({ env: workerEnv(tokenFile) });
    const error = await worker.whoAmI().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiProblem);
    expect(error).toMatchObject({ message: REFUSED.reason });
    expect(await kube.reviewCount()).toBe(before);
  });
});
