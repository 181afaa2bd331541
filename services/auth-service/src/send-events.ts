import { eventSchema } from "@svc/contract";
import { signServiceAssertion } from "@svc/platform/http";
import { idFromUuid } from "@svc/platform/ids";
import { type EventBatch, EventsRefused, type Ingest } from "@svc/platform/outbox";

const TIMEOUT_MS = 10_000;

/** Identity's database may be elsewhere, so its events go to the gateway over HTTP. */
export function sendEvents(gatewayUrl: string, secret: string): Ingest {
  const address = new URL("/internal/v1/events", gatewayUrl);
  return async (batch) => {
    const assertion = await signServiceAssertion(secret, {
      from: "auth-service",
      to: "api-gateway",
      right: "events:ingest",
    });
    const response = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${assertion}` },
      body: JSON.stringify({ events: toEvents(batch) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return;
    const answer = (await response.text()).slice(0, 300);
    // Only a complaint about the events themselves is final; everything else may pass.
    if (response.status === 400 || response.status === 413) throw new EventsRefused(answer);
    throw new Error(`the gateway answered ${response.status}: ${answer}`);
  };
}

function toEvents({ rows }: EventBatch): unknown[] {
  return (JSON.parse(rows) as { id: string; org_id: string; occurred_at: string }[]).map((row) => {
    const event = eventSchema.safeParse({
      ...row,
      id: idFromUuid("evt", row.id),
      org_id: idFromUuid("org", row.org_id),
      occurred_at: new Date(row.occurred_at).toISOString(),
    });
    if (!event.success) throw new EventsRefused(event.error.message);
    return event.data;
  });
}
