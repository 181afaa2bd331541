import { ingestRequestSchema, ingestResponseSchema } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { AppError } from "@svc/platform/errors";
import { problems, requireService, type Server } from "@svc/platform/http";
import { EventsRefused } from "@svc/platform/outbox";
import { ingestEvents } from "./ingest-events.ts";

interface NotificationRoutesOptions {
  db: Db;
  actorAssertionSecret: string;
}

export async function notificationRoutes(
  app: Server,
  { db, actorAssertionSecret }: NotificationRoutesOptions,
): Promise<void> {
  const fromAuthService = requireService(actorAssertionSecret, {
    from: "auth-service",
    to: "api-gateway",
    right: "events:ingest",
  });

  // The auth service may run elsewhere with a database of its own; its events come by this door.
  app.post(
    "/internal/v1/events",
    {
      onRequest: fromAuthService,
      bodyLimit: 4 * 1_024 * 1_024,
      schema: {
        summary: "Take over events of a service with its own database",
        body: ingestRequestSchema,
        response: { 200: ingestResponseSchema, ...problems(400, 401, 413, 415, 503) },
      },
    },
    async ({ body }) => {
      try {
        return { received: body.events.length, recorded: await ingestEvents(db, body.events) };
      } catch (error) {
        if (error instanceof EventsRefused) throw new AppError("INVALID_REQUEST", error.message);
        throw error;
      }
    },
  );
}
