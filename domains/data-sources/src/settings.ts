import { secret } from "@svc/platform/config";
import { parseKeyring } from "@svc/platform/secrets";
import { z } from "zod";
import { embeddingModelsSetting } from "./embedding/settings.ts";

const whole = (least: number, most: number, standard: number): z.ZodType<number> =>
  z.coerce
    .number(`must be from ${least} to ${most}`)
    .int("must be a whole number")
    .min(least, `must be from ${least} to ${most}`)
    .max(most, `must be from ${least} to ${most}`)
    .default(standard);

/** Seals the passwords of managed databases. The same in every service that opens them. */
export const keyringSetting = secret(
  z.string("is missing; make one with: echo k1:$(openssl rand -base64 32)").transform((text, context) => {
    try {
      return parseKeyring(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : "is not a keyring" });
      return z.NEVER;
    }
  }),
);

/** What the service that answers questions can be told. */
export const dataSourcesSettings = {
  SECRETS_KEYRING: keyringSetting,
  EMBEDDING_MODELS: embeddingModelsSetting,
  EMBEDDING_TIMEOUT_MS: whole(100, 60_000, 5_000),
  /** For organizations without a row in data_sources.question_limits. */
  QUESTIONS_PER_MINUTE: whole(0, 1_000_000, 60),
  QUESTIONS_PER_DAY: whole(0, 1_000_000_000, 5_000),
  /** How many processes answer questions: while Redis is away each lets its part of the limit through. */
  GATEWAY_REPLICAS: whole(1, 1_000, 1),
  QUESTION_TIMEOUT_MS: whole(100, 60_000, 5_000),
  /** Up to this many rows that pass the filter all are compared; beyond, the index is asked. */
  EXACT_SEARCH_ROWS: whole(0, 10_000_000, 5_000),
  /** Customers' databases with open connections at one time, and connections to each. */
  SOURCE_POOLS: whole(1, 10_000, 50),
  SOURCE_POOL_CONNECTIONS: whole(1, 100, 4),
  DATABASES_PER_ORG: whole(1, 1_000, 200),
  DATABASE_DELETION_GRACE_DAYS: whole(0, 365, 7),
};
