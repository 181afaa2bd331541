import { open, type Keyring } from "@svc/platform/secrets";
import { AppError } from "@svc/platform/errors";
import type pg from "pg";
import type { SourceRow } from "../queries/sources.ts";
import { physicalNamesOf } from "./physical-names.ts";

type Role = "owner" | "reader";

/** What a database's sealed passwords are bound to: an envelope of another row or role does not open. */
export function secretContext(databaseUuid: string, role: Role): string {
  return `data_sources.databases/${databaseUuid}/${role}`;
}

/** How to connect to the database behind a source, as its owner or its reader. */
export function connectionOptions(keyring: Keyring, source: SourceRow, role: Role): pg.ClientConfig {
  if (!source.address) {
    throw new AppError("SOURCE_UNAVAILABLE", "The database is still being made. Try again in a few seconds.", {
      retryAfterSeconds: 2,
    });
  }
  const names = physicalNamesOf(source.database_id);
  return {
    host: source.address.host,
    port: source.address.port,
    ...(source.address.tls && { ssl: true }),
    database: names.database,
    user: role === "owner" ? names.ownerRole : names.readerRole,
    password: open(
      keyring,
      role === "owner" ? source.owner_secret : source.reader_secret,
      secretContext(source.database_id, role),
    ),
    connectionTimeoutMillis: 2_000,
    keepAlive: true,
  };
}
