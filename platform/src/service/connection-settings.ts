import { z } from "zod";
import { secret, urlSetting } from "../config/index.ts";

/** Settings that several services share, so that they read and fail alike. */
export const databaseUrlSetting = secret(
  urlSetting(["postgres:", "postgresql:"], "postgres://user:password@host:5432/database"),
);

export const cacheUrlSetting = secret(urlSetting(["redis:", "rediss:"], "redis://:password@host:6379"));

export const authServiceUrlSetting = urlSetting(["http:", "https:"], "https://auth.example.com");

/** 32 random bytes as hex, the form in which operators are told to make them: `openssl rand -hex 32`. */
export const keySetting = secret(
  z
    .string("is missing; make one with: openssl rand -hex 32")
    .regex(/^[0-9a-f]{64}$/i, "must be 32 random bytes as hex; make one with: openssl rand -hex 32"),
);
