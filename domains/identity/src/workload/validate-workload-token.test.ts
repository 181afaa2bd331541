import { validateTokenResponseSchema } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { newId, uuidOf } from "@svc/platform/ids";
import { createMigratedDatabase, recordingLogger } from "@svc/platform/testing";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DB } from "../db-types.ts";
import { identityMigrations } from "../index.ts";
import { type KubeStandIn, startKubeStandIn } from "./testing/kube-stand-in.ts";
import { createWorkloadReviewer, type WorkloadReviewer } from "./review-workload.ts";
import { ACCOUNT, answerReviewsWith, AUDIENCE, REVIEW, workloadToken } from "./testing/workload-token.ts";
import { validateWorkloadToken } from "./validate-workload-token.ts";

const REFUSED = { valid: false, reason: "Invalid or expired API token" };
let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let db: Db<DB>;
let kube: KubeStandIn;
const org = { id: newId("org"), slug: "acme", name: "Acme" };
let reviewer: WorkloadReviewer;
let lines: ReturnType<typeof recordingLogger>["lines"];

beforeAll(async () => {
  [database, kube] = await Promise.all([createMigratedDatabase([identityMigrations]), startKubeStandIn()]);
  ({ db } = database);
  await sql`insert into identity.orgs (id, slug, name) values (${uuidOf(org.id)}, ${org.slug}, ${org.name})`.execute(
    db,
  );
});
afterAll(async () => {
  await kube.close();
  await database.drop();
});
beforeEach(() => {
  const recording = recordingLogger();
  ({ lines } = recording);
  answerReviewsWith(kube);
  reviewer = createWorkloadReviewer({ audience: AUDIENCE, kube: kube.connection, log: recording.log });
});

const labelled = (orgRef: string): void =>
  answerReviewsWith(kube, REVIEW, { ...ACCOUNT, labels: { "svc.dev/org": orgRef, "svc.dev/app": "shop" } });

describe("a workload's token", () => {
  it.each([
    ["slug", org.slug],
    ["id", org.id],
  ])("stands for an app in the organization that is labelled by its %s", async (_what, orgRef) => {
    labelled(orgRef);
    const exp = Math.floor(Date.now() / 1_000) + 600;
    const answer = await validateWorkloadToken(db, reviewer, workloadToken({ exp }));
    expect(answer).toEqual({
      valid: true,
      kind: "workload",
      org,
      role: "developer",
      app: "shop",
      expires_at: new Date(exp * 1_000).toISOString(),
      cache_seconds: 5,
    });
    expect(validateTokenResponseSchema.parse(answer)).toEqual(answer);
  });

  it.each([
    ["slug", "nobody"],
    ["id", newId("org")],
  ])("is refused where no organization has the labelled %s, and the operator learns why", async (_what, orgRef) => {
    labelled(orgRef);
    expect(await validateWorkloadToken(db, reviewer, workloadToken())).toEqual(REFUSED);
    expect(lines).toMatchObject([
      { refused: "the label svc.dev/org names no organization", namespace: "apps", serviceAccount: "shop-worker" },
    ]);
  });

  it("is refused in the same words when Kubernetes refuses it", async () => {
    answerReviewsWith(kube, {});
    expect(await validateWorkloadToken(db, reviewer, workloadToken())).toEqual(REFUSED);
  });

  it("may not be relied on for longer than it lives", async () => {
    const exp = Math.ceil(Date.now() / 1_000) + 3;
    const answer = await validateWorkloadToken(db, reviewer, workloadToken({ exp }));
    if (!answer.valid) throw new Error("refused");
    expect(answer.cache_seconds).toBeGreaterThan(0);
    expect(answer.cache_seconds).toBeLessThanOrEqual(4);
  });

  it("stands for nobody as soon as its organization is gone", async () => {
    const gone = newId("org");
    await sql`insert into identity.orgs (id, slug, name) values (${uuidOf(gone)}, 'gone', 'Gone')`.execute(db);
    labelled("gone");
    const token = workloadToken();
    expect(await validateWorkloadToken(db, reviewer, token)).toMatchObject({ valid: true });
    await sql`delete from identity.orgs where slug = 'gone'`.execute(db);
    expect(await validateWorkloadToken(db, reviewer, token)).toEqual(REFUSED);
  });
});
