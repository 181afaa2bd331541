import type { KubeApi, TokenReviewStatus } from "./kube-api.ts";

const ORG_LABEL = "svc.dev/org";
const APP_LABEL = "svc.dev/app";
const POD_NAME = "authentication.kubernetes.io/pod-name";
const ANY_SERVICE_ACCOUNT = "system:serviceaccounts";
/** RFC 1123 names, as Kubernetes allows them for namespaces and service accounts. */
const USERNAME = /^system:serviceaccount:([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?):([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?)$/;

/** For whom Kubernetes vouches, and what its service account says it belongs to. */
interface IdentifiedWorkload {
  namespace: string;
  serviceAccount: string;
  podName: string;
  /** Slug or id of an organization, as labelled; nobody has looked whether it exists. */
  orgRef: string;
  app: string;
}

/** Says in the operator's words why a token was refused; the caller learns only that it was. */
export interface Refusal {
  refused: string;
  namespace?: string;
  serviceAccount?: string;
}

export async function identifyWorkload(
  kube: KubeApi,
  audience: string,
  token: string,
  signal: AbortSignal,
): Promise<IdentifiedWorkload | Refusal> {
  const status = await kube.reviewToken(token, audience, signal);
  const pod = readReview(status, audience);
  if ("refused" in pod) return pod;

  const { namespace, serviceAccount } = pod;
  const refuse = (refused: string): Refusal => ({ refused, namespace, serviceAccount });
  const account = await kube.findServiceAccount(namespace, serviceAccount, signal);
  if (!account) return refuse("the service account is gone");
  // The API server remembers a token for some seconds, in which its account can be deleted and made again by another.
  if (account.uid !== status.user?.uid) return refuse("the service account was made anew");
  const { [ORG_LABEL]: orgRef, [APP_LABEL]: app } = account.labels;
  if (!orgRef) return refuse(`the service account has no label ${ORG_LABEL}`);
  if (!app) return refuse(`the service account has no label ${APP_LABEL}`);
  return { ...pod, orgRef, app };
}

function readReview(
  { authenticated, audiences, user }: TokenReviewStatus,
  audience: string,
): Pick<IdentifiedWorkload, "namespace" | "serviceAccount" | "podName"> | Refusal {
  // The API server answers 201 either way.
  if (!authenticated || !user) return { refused: "Kubernetes does not vouch for the token" };
  // An API server that knows nothing of audiences answers without them.
  if (!audiences.includes(audience)) return { refused: `the token is not for the audience ${audience}` };
  const [, namespace, , serviceAccount] = USERNAME.exec(user.username) ?? [];
  if (!namespace || !serviceAccount || !user.groups.includes(ANY_SERVICE_ACCOUNT)) {
    return { refused: "the token is not that of a service account" };
  }
  const podName = user.extra[POD_NAME]?.[0];
  if (!podName) return { refused: "the token is not bound to a pod", namespace, serviceAccount };
  return { namespace, serviceAccount, podName };
}
