import { ConfigError, readConfig } from "@svc/platform/config";
import { silentLogger } from "@svc/platform/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type KubeStandIn, startKubeStandIn } from "./testing/kube-stand-in.ts";
import { openWorkloadReviewer, workloadSettings } from "./settings.ts";
import { answerReviewsWith, workloadToken } from "./testing/workload-token.ts";

let kube: KubeStandIn;
beforeAll(async () => {
  kube = await startKubeStandIn();
  answerReviewsWith(kube);
});
afterAll(() => kube.close());

const open = (env: Record<string, string>): ReturnType<typeof openWorkloadReviewer> =>
  openWorkloadReviewer(readConfig(z.object(workloadSettings), env), silentLogger());
const IN_CLUSTER = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };

describe("workload identity", () => {
  it("is on in a cluster and off elsewhere", () => {
    expect(open(IN_CLUSTER)).toBeDefined();
    expect(open({})).toBeUndefined();
  });

  it("is what the operator says, wherever it runs", () => {
    expect(open({ ...IN_CLUSTER, WORKLOAD_IDENTITY_ENABLED: "false" })).toBeUndefined();
    expect(open({ WORKLOAD_IDENTITY_ENABLED: "true", KUBE_API_SERVER: "https://127.0.0.1:6443" })).toBeDefined();
    expect(() => open({ WORKLOAD_IDENTITY_ENABLED: "yes" })).toThrow("WORKLOAD_IDENTITY_ENABLED must be true or false");
  });

  it("does not start outside a cluster without knowing where Kubernetes is", () => {
    expect(() => open({ WORKLOAD_IDENTITY_ENABLED: "true" })).toThrow(ConfigError);
    expect(() => open({ WORKLOAD_IDENTITY_ENABLED: "true" })).toThrow("KUBE_API_SERVER is missing");
  });

  it("sends its credential over TLS only", () => {
    expect(() => open({ KUBE_API_SERVER: "http://10.0.0.1" })).toThrow("KUBE_API_SERVER must be a URL like https://");
  });

  it("asks where in a cluster every container is told to ask, for the audience that is set", async () => {
    const { hostname, port } = new URL(kube.connection.apiServer);
    const reviewer = open({
      KUBERNETES_SERVICE_HOST: hostname,
      KUBERNETES_SERVICE_PORT: port,
      KUBE_CA_FILE: kube.connection.caFile,
      KUBE_TOKEN_FILE: kube.connection.tokenFile,
      WORKLOAD_AUDIENCE: "elsewhere",
    });
    await reviewer?.review(workloadToken({ aud: ["elsewhere"] }));
    expect(kube.asked).toMatchObject([{ body: { spec: { audiences: ["elsewhere"] } } }]);
  });
});
