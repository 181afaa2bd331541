import { randomBytes } from "node:crypto";
import { newId, uuidOf } from "@svc/platform/ids";
import { servicesUnderTest } from "@svc/platform/testing";
import pg from "pg";
import type { DatabaseProvider, DesiredDatabase } from "../databases/database-provider.ts";
import { type PhysicalNames, physicalNamesOf } from "../databases/physical-names.ts";
import { sharedCluster } from "../databases/shared-cluster.ts";

export type Wanted = DesiredDatabase & { names: PhysicalNames };

type Role = "owner" | "reader";

export interface ClusterFixture {
  adminUrl: string;
  /** Two connections for each role. */
  provider: DatabaseProvider;
  /** A database that is still to be made. */
  want(): Wanted;
  /** Connects as a role of it, to its own database or to another. */
  asRole<T>(wanted: Wanted, role: Role, act: (client: pg.Client) => Promise<T>, database?: string): Promise<T>;
  /** Statements one after the other on one connection; the rows of the last, as arrays. */
  query(wanted: Wanted, role: Role, ...statements: string[]): Promise<unknown[]>;
  asServerAdmin<T extends object>(statement: string, database?: string): Promise<T[]>;
  close(): Promise<void>;
}

/** The real server, and databases on it that are dropped at the end. */
export function createClusterFixture(): ClusterFixture {
  const adminUrl = servicesUnderTest().postgresAdminUrl;
  const provider = sharedCluster({ adminUrl, connectionLimit: 4 });
  const made: PhysicalNames[] = [];

  const asRole: ClusterFixture["asRole"] = ({ owner, reader, database: own }, role, act, database = own) => {
    const { hostname: host, port } = new URL(adminUrl);
    const { role: user, password } = role === "owner" ? owner : reader;
    return connected({ host, port: Number(port), database, user, password }, act);
  };

  return {
    adminUrl,
    provider,
    want: () => {
      const names = physicalNamesOf(uuidOf(newId("ds")));
      made.push(names);
      return {
        names,
        database: names.database,
        owner: { role: names.ownerRole, password: randomPassword() },
        reader: { role: names.readerRole, password: randomPassword() },
        open: true,
        endSessions: false,
      };
    },
    asRole,
    query: (wanted, role, ...statements) =>
      asRole(wanted, role, async (client) => {
        let rows: unknown[] = [];
        for (const text of statements) rows = (await client.query({ text, rowMode: "array" })).rows;
        return rows;
      }),
    asServerAdmin: <T extends object>(statement: string, database?: string) => {
      const url = new URL(adminUrl);
      if (database) url.pathname = `/${database}`;
      return connected({ connectionString: url.href }, async (client) => (await client.query<T>(statement)).rows);
    },
    close: async () => {
      for (const names of made) await provider.drop(names);
    },
  };
}

export function withNewPasswords(wanted: Wanted): Wanted {
  const { owner, reader } = wanted;
  return {
    ...wanted,
    owner: { ...owner, password: randomPassword() },
    reader: { ...reader, password: randomPassword() },
    endSessions: true,
  };
}

function randomPassword(): string {
  return randomBytes(16).toString("hex");
}

async function connected<T>(options: pg.ClientConfig, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(options);
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await act(client);
  } finally {
    await client.end();
  }
}
