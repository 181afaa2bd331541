import { z } from "zod";
import { KubeAnswer, type KubeConnection, createKubeRequest } from "./kube-request.ts";

const textsSchema = z.array(z.string()).default([]);

/** TokenReview of authentication.k8s.io/v1. Go leaves out what is empty or false. */
const tokenReviewSchema = z.object({
  status: z.object({
    authenticated: z.boolean().default(false),
    audiences: textsSchema,
    user: z
      .object({
        username: z.string().default(""),
        uid: z.string().default(""),
        groups: textsSchema,
        extra: z.record(z.string(), textsSchema).default({}),
      })
      .optional(),
  }),
});
export type TokenReviewStatus = z.infer<typeof tokenReviewSchema>["status"];

const serviceAccountSchema = z.object({
  metadata: z.object({ uid: z.string(), labels: z.record(z.string(), z.string()).default({}) }),
});
type ServiceAccount = z.infer<typeof serviceAccountSchema>["metadata"];

export interface KubeApi {
  reviewToken(token: string, audience: string, signal: AbortSignal): Promise<TokenReviewStatus>;
  findServiceAccount(namespace: string, name: string, signal: AbortSignal): Promise<ServiceAccount | undefined>;
}

/** The two things that the auth service may ask of Kubernetes. */
export function createKubeApi(connection: KubeConnection): KubeApi {
  const ask = createKubeRequest(connection);
  return {
    reviewToken: async (token, audience, signal) => {
      const body = {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenReview",
        // Without audiences the API server takes any token that is meant for itself.
        spec: { token, audiences: [audience] },
      };
      const path = "/apis/authentication.k8s.io/v1/tokenreviews";
      const answer = await ask({ method: "POST", path, body, signal });
      return read(tokenReviewSchema, answer, "TokenReview").status;
    },
    findServiceAccount: async (namespace, name, signal) => {
      const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/serviceaccounts/${encodeURIComponent(name)}`;
      try {
        return read(serviceAccountSchema, await ask({ method: "GET", path, signal }), "ServiceAccount").metadata;
      } catch (error) {
        if (error instanceof KubeAnswer && error.status === 404) return undefined;
        throw error;
      }
    },
  };
}

function read<T>(schema: z.ZodType<T>, answer: unknown, kind: string): T {
  const { data } = schema.safeParse(answer);
  if (data === undefined) throw new Error(`Kubernetes answered with something else than a ${kind}`);
  return data;
}
