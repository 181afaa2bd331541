import { ConfigError, urlSetting } from "@svc/platform/config";
import type { Logger } from "@svc/platform/telemetry";
import { z } from "zod";
import type { KubeConnection } from "./kube-request.ts";
import { createWorkloadReviewer, type WorkloadReviewer } from "./review-workload.ts";

/** Where Kubernetes puts the credentials of a pod's own service account. */
const OWN_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

const shape = {
  /** Without a value: on in a cluster, off elsewhere. */
  WORKLOAD_IDENTITY_ENABLED: z.enum(["true", "false"], "must be true or false").optional(),
  WORKLOAD_AUDIENCE: z.string().max(200, "must have 200 characters at most").default("svc-control-plane"),
  KUBE_API_SERVER: urlSetting(["https:"], "https://kubernetes.example.com:6443").optional(),
  KUBE_CA_FILE: z.string().optional(),
  KUBE_TOKEN_FILE: z.string().optional(),
  /** Kubernetes sets these two in every container. */
  KUBERNETES_SERVICE_HOST: z.string().optional(),
  KUBERNETES_SERVICE_PORT: z.string().default("443"),
};

/** To be spread into the settings of the service that validates tokens. */
export const workloadSettings: typeof shape = shape;
export type WorkloadConfig = z.infer<z.ZodObject<typeof shape>>;

/** Undefined where workload identity is switched off. */
export function openWorkloadReviewer(config: WorkloadConfig, log: Logger): WorkloadReviewer | undefined {
  const { WORKLOAD_IDENTITY_ENABLED: wanted, KUBERNETES_SERVICE_HOST: host } = config;
  const enabled = wanted === undefined ? host !== undefined : wanted === "true";
  if (!enabled) return undefined;
  return createWorkloadReviewer({ audience: config.WORKLOAD_AUDIENCE, kube: kubeConnection(config), log });
}

function kubeConnection(config: WorkloadConfig): KubeConnection {
  const host = config.KUBERNETES_SERVICE_HOST;
  const authority = host?.includes(":") ? `[${host}]` : host;
  const apiServer = config.KUBE_API_SERVER ?? (authority && `https://${authority}:${config.KUBERNETES_SERVICE_PORT}`);
  if (!apiServer) {
    const message = "is missing; outside a cluster workload identity needs it, or WORKLOAD_IDENTITY_ENABLED=false";
    throw new ConfigError([{ setting: "KUBE_API_SERVER", message }]);
  }
  return {
    apiServer,
    caFile: config.KUBE_CA_FILE ?? `${OWN_ACCOUNT}/ca.crt`,
    tokenFile: config.KUBE_TOKEN_FILE ?? `${OWN_ACCOUNT}/token`,
  };
}
