import type { KubeStandIn } from "./kube-stand-in.ts";

export const AUDIENCE = "svc-control-plane";
export const REVIEW = {
  authenticated: true,
  audiences: [AUDIENCE],
  user: {
    username: "system:serviceaccount:apps:shop-worker",
    uid: "account-uid",
    groups: ["system:serviceaccounts", "system:serviceaccounts:apps", "system:authenticated"],
    extra: { "authentication.kubernetes.io/pod-name": ["shop-worker-0"] },
  },
};
export const ACCOUNT = { uid: "account-uid", labels: { "svc.dev/org": "acme", "svc.dev/app": "shop" } };

/** Claims as the API server writes them; whether the signature holds is for the API server to say. */
export function workloadToken(changes: Record<string, unknown> = {}): string {
  const claims = {
    iss: "https://kubernetes.default.svc",
    sub: "system:serviceaccount:apps:shop-worker",
    aud: [AUDIENCE],
    exp: Math.floor(Date.now() / 1_000) + 600,
    "kubernetes.io": { namespace: "apps", pod: { name: "shop-worker-0" } },
    ...changes,
  };
  return `${encode({ alg: "RS256", kid: "1" })}.${encode(claims)}.c2lnbmF0dXJl`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

/** The account may be null: gone. */
export function answerReviewsWith(kube: KubeStandIn, status: unknown = REVIEW, account: unknown = ACCOUNT): void {
  kube.answer = ({ path }) => {
    if (path === "/apis/authentication.k8s.io/v1/tokenreviews") return { status: 201, body: { status } };
    if (path === "/api/v1/namespaces/apps/serviceaccounts/shop-worker" && account !== null) {
      return { status: 200, body: { metadata: account } };
    }
    return { status: 404, body: {} };
  };
}
