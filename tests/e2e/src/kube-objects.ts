import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { KubeApiServer } from "./kube-api-server.ts";
import { ROOT } from "@svc/dev";

const COLLECTIONS: Record<string, (namespace: string) => string> = {
  ServiceAccount: (namespace) => `/api/v1/namespaces/${namespace}/serviceaccounts`,
  Deployment: (namespace) => `/apis/apps/v1/namespaces/${namespace}/deployments`,
  ClusterRole: () => "/apis/rbac.authorization.k8s.io/v1/clusterroles",
  ClusterRoleBinding: () => "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
};

/** Creates every manifest of a guide, so that what people copy from it is what was tried. */
export async function applyManifestsOf(kube: KubeApiServer, guide: string): Promise<void> {
  const markdown = await readFile(join(ROOT, guide), "utf8");
  for (const [, block = ""] of markdown.matchAll(/^```yaml\n(.*?)^```$/gms)) {
    for (const manifest of block.split(/^---$/m)) {
      const kind = /^kind: (\w+)$/m.exec(manifest)?.[1] ?? "";
      const namespace = /^ {2}namespace: (\S+)$/m.exec(manifest)?.[1] ?? "";
      const collection = COLLECTIONS[kind];
      if (!collection) throw new Error(`${guide} has a manifest of the kind "${kind}", which this does not know`);
      await create(kube, collection(namespace), manifest);
    }
  }
}

export async function createNamespace(kube: KubeApiServer, name: string): Promise<void> {
  await create(kube, "/api/v1/namespaces", { metadata: { name } });
}

export async function createServiceAccount(
  kube: KubeApiServer,
  namespace: string,
  name: string,
  labels: Record<string, string> = {},
): Promise<void> {
  await create(kube, `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name, labels } });
}

/** A pod that no node runs: enough to bind a token to. */
export async function createPod(kube: KubeApiServer, namespace: string, serviceAccount: string): Promise<string> {
  const name = `${serviceAccount}-0`;
  const spec = { serviceAccountName: serviceAccount, containers: [{ name: "worker", image: "none" }] };
  await create(kube, `/api/v1/namespaces/${namespace}/pods`, { metadata: { name }, spec });
  return name;
}

interface WantedToken {
  namespace: string;
  serviceAccount: string;
  /** Bound to it; without, the token is the service account's alone. */
  pod?: string;
  /** Without, the token is for the API server itself. */
  audience?: string;
}

let minted = 0;

/** What the kubelet does for a projected volume. Each token lives a second longer, because equal ones are one token. */
export async function mintToken(kube: KubeApiServer, wanted: WantedToken): Promise<string> {
  const { namespace, serviceAccount, pod, audience } = wanted;
  const spec = {
    expirationSeconds: 600 + minted++,
    ...(audience && { audiences: [audience] }),
    ...(pod && { boundObjectRef: { apiVersion: "v1", kind: "Pod", name: pod } }),
  };
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${serviceAccount}/token`;
  const { status } = await create(kube, path, { spec });
  return status.token;
}

/** What Kubernetes itself thinks of a token. */
export async function isVouchedFor(kube: KubeApiServer, token: string, audience: string): Promise<boolean> {
  const review = {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenReview",
    spec: { token, audiences: [audience] },
  };
  const { status } = await create(kube, "/apis/authentication.k8s.io/v1/tokenreviews", review);
  return status.authenticated === true;
}

export async function remove(kube: KubeApiServer, path: string): Promise<void> {
  const { status } = await kube.call("DELETE", path, { gracePeriodSeconds: 0 });
  if (status !== 200) throw new Error(`DELETE ${path} was answered with ${status}`);
}

async function create(kube: KubeApiServer, path: string, object: object | string): Promise<any> {
  const { status, body } = await kube.call("POST", path, object);
  if (status !== 201) throw new Error(`POST ${path} was answered with ${status}: ${body.message}`);
  return body;
}
