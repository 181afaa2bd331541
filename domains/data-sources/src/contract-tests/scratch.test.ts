import { it } from "vitest";
import { createDataSourcesFixture } from "../testing/data-sources-fixture.ts";
import { newId } from "@svc/platform/ids";
it("x", async () => {
  const f = await createDataSourcesFixture();
  const org = f.createOrg();
  await f.addSource(org, "notes");
  const t = org.tokens.owner;
  const show = async (m: any, u: string, b?: any, h: any = {}) => {
    const r = await f.call(m, u, t, b, h);
    console.log(
      m,
      u.slice(0, 80),
      r.status,
      r.headers["content-type"],
      r.headers["content-length"],
      r.text.slice(0, 300),
    );
  };
  await show("POST", "/api/wf/slim/data-sources/db_%00/query", { query: "x" });
  await show("POST", "/api/wf/slim/data-sources/db_none/query", { query: "x" });
  await show("POST", `/api/wf/slim/data-sources/${"x".repeat(201)}/query`, { query: "x" });
  await show("POST", `/api/wf/slim/data-sources/${"%41".repeat(201)}/query`, { query: "x" });
  await show("GET", "/api/wf/databases/a%00");
  await show("GET", "/api/wf/data-sources/db_%00/health");
  await show("PUT", "/api/wf/data-sources/db_%00/exposure", { exposed: true });
  await show("GET", "/api/wf/activity?source_id=%00&type=data_sources");
  await show("GET", "/api/wf/activity?from=0000-01-01T00:00:00Z");
  await show("GET", "/api/wf/activity?from=9999-12-31T23:59:59Z");
  await show("GET", "/api/wf/activity?from=2020-01-01T00:00:00%2B23:59");
  await show("GET", "/api/wf/activity?to=0000-01-01T00:00:00Z&type=data_sources");
  await show("HEAD", "/api/wf/slim/data-sources");
  await show("GET", "/api/wf/slim/data-sources");

  await show("OPTIONS", "/api/wf/data-sources");
  await show("DELETE", "/api/wf/databases/none", "x", { "content-type": "text/plain" });
  await show("POST", "/api/wf/databases/none/restore", "x", { "content-type": "text/plain" });
  await show("POST", "/api/wf/databases/none/restore", "{", { "content-type": "application/json" });
  await show("POST", "/api/wf/databases/none/restore", "", { "content-type": "application/json" });
  await show("DELETE", "/api/wf/databases/none", "", { "content-type": "application/json" });
  await show("GET", "/api/wf/databases/none", "{", { "content-type": "application/json" });
  await show("PUT", "/api/wf/data-sources/db_notes?dry_run=maybe", {});
  await show("PUT", "/api/wf/data-sources/db_none?dry_run=maybe", {});
  await show("GET", "/api/wf/slim/data-sources", undefined, { accept: "application/json" });
  await show("POST", "/api/wf/slim/data-sources/db_notes/query", "x", { "content-type": "text/plain" });
  await show("GET", "/api/wf/slim/data-sources/db_notes/query");
  await show("GET", "/api/wf/slim/%zz");
  await show("GET", "/api/wf/activity?user_id=" + newId("usr"));
  await f.close();
});
