import { randomBytes } from "node:crypto";
import { servicesUnderTest } from "@svc/platform/testing";
import pg from "pg";
import type { DatabaseAddress } from "../databases/database-provider.ts";
import { type PhysicalNames, physicalNamesOf } from "../databases/physical-names.ts";
import { sharedCluster } from "../databases/shared-cluster.ts";
import { newId, uuidOf } from "@svc/platform/ids";

export interface CustomerDatabase {
  id: string;
  names: PhysicalNames;
  address: DatabaseAddress;
  ownerPassword: string;
  readerPassword: string;
  /** A pool as the owner, for making tables and filling them. */
  owner: pg.Pool;
  /** A pool as the reader, to see what it may do. */
  reader: pg.Pool;
  drop(): Promise<void>;
}

/** A managed database as a customer has it, on the real server. */
export async function createCustomerDatabase(): Promise<CustomerDatabase> {
  const { postgresAdminUrl } = servicesUnderTest();
  const provider = sharedCluster({ adminUrl: postgresAdminUrl });
  const id = uuidOf(newId("ds"));
  const names = physicalNamesOf(id);
  const ownerPassword = randomBytes(16).toString("hex");
  const readerPassword = randomBytes(16).toString("hex");
  const address = await provider.ensure({
    database: names.database,
    owner: { role: names.ownerRole, password: ownerPassword },
    reader: { role: names.readerRole, password: readerPassword },
    open: true,
    endSessions: false,
  });
  const pool = (user: string, password: string): pg.Pool => {
    const made = new pg.Pool({
      host: address.host,
      port: address.port,
      database: names.database,
      user,
      password,
      max: 3,
    });
    // A pool ends before its connections do, and the drop cuts off those that are slow: an error that nobody waits for.
    return made.on("error", () => undefined);
  };
  const owner = pool(names.ownerRole, ownerPassword);
  const reader = pool(names.readerRole, readerPassword);
  return {
    id,
    names,
    address,
    ownerPassword,
    readerPassword,
    owner,
    reader,
    drop: async () => {
      await Promise.all([owner.end(), reader.end()]);
      await provider.drop(names);
    },
  };
}
