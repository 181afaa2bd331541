import { createHash } from "node:crypto";
import { AppError } from "@svc/platform/errors";
import { counter, type Logger } from "@svc/platform/telemetry";
import { LRUCache } from "lru-cache";
import { ISSUER } from "../user-token.ts";
import { identifyWorkload } from "./identify-workload.ts";
import { createKubeApi } from "./kube-api.ts";
import { KubeAnswer, type KubeConnection } from "./kube-request.ts";
import { readUnverifiedClaims, type UnverifiedClaims } from "./read-claims.ts";

interface Workload {
  namespace: string;
  serviceAccount: string;
  podName: string;
  orgRef: string;
  app: string;
  expiresAt: Date;
}

export interface WorkloadReviewer {
  /** The workload a token stands for; undefined if it is refused. Throws UNAVAILABLE while Kubernetes cannot be asked. */
  review(token: string): Promise<Workload | undefined>;
  /** Where the operator learns why a token was refused. */
  log: Logger;
}

interface WorkloadReviewerOptions {
  audience: string;
  kube: KubeConnection;
  log: Logger;
}

const ACCEPTED_FOR_MS = 60_000;
const REFUSED_FOR_MS = 5_000;
/** For both questions together: less than the 3 s that other services wait for the auth service. */
const TIMEOUT_MS = 2_500;

const reviews = counter("svc_workload_reviews_total", "Workload tokens that Kubernetes was asked about, by outcome.");

export function createWorkloadReviewer({ audience, kube, log }: WorkloadReviewerOptions): WorkloadReviewer {
  const api = createKubeApi(kube);
  // Apart, so that a flood of rubbish does not push out those who may come in.
  const accepted = new LRUCache<string, { workload: Workload; until: number }>({ max: 10_000 });
  const refused = new LRUCache<string, { until: number }>({ max: 10_000 });
  const inFlight = new Map<string, Promise<Workload | undefined>>();

  const ask = async (token: string, key: string, claims: UnverifiedClaims): Promise<Workload | undefined> => {
    const answer = await identifyWorkload(api, audience, token, AbortSignal.timeout(TIMEOUT_MS)).catch(refuseOrGiveUp);
    if ("refused" in answer) {
      reviews.add({ outcome: "refused" });
      log.info(answer, "workload token refused");
      refused.set(key, { until: Date.now() + REFUSED_FOR_MS });
      return undefined;
    }
    reviews.add({ outcome: "accepted" });
    // Kubernetes has checked the signature by now, so the end that the token names is its true one.
    const workload = { ...answer, expiresAt: new Date(claims.exp * 1_000) };
    accepted.set(key, { workload, until: Math.min(Date.now() + ACCEPTED_FOR_MS, workload.expiresAt.getTime()) });
    return workload;
  };

  return {
    log,
    review: async (token) => {
      const claims = readUnverifiedClaims(token);
      if (!claims || !isWorthAsking(claims, audience)) return undefined;
      // The token itself is not kept, so that a memory dump does not hold those of the last minutes.
      const key = createHash("sha256").update(token).digest("base64");
      const known = accepted.get(key);
      if (known && known.until > Date.now()) return known.workload;
      if ((refused.get(key)?.until ?? 0) > Date.now()) return undefined;
      const asked = inFlight.get(key);
      if (asked) return asked;
      const asking = ask(token, key, claims).finally(() => inFlight.delete(key));
      inFlight.set(key, asking);
      return asking;
    },
  };
}

/** Whatever the token says of itself can only rule it out. */
function isWorthAsking({ iss, aud, exp }: UnverifiedClaims, audience: string): boolean {
  return iss !== ISSUER && aud.includes(audience) && exp * 1_000 > Date.now();
}

function refuseOrGiveUp(error: unknown): { refused: string } {
  // Whoever installed us did not grant it, and no other try will change that.
  if (error instanceof KubeAnswer && error.status === 403) {
    return { refused: `${error.message}: grant "tokenreviews create" and "serviceaccounts get" to the auth service` };
  }
  reviews.add({ outcome: "unavailable" });
  throw new AppError("UNAVAILABLE", "Kubernetes cannot be asked about this token right now. Try again shortly.", {
    retryAfterSeconds: 1,
    cause: error,
  });
}
