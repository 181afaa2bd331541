import type * as Contract from "@svc/contract";
import type { z } from "zod";
import { address } from "./address.ts";
import type { Calls } from "./call-api.ts";

export interface DatabaseCalls {
  /** Answers before the database can be used: its status is "creating" at first. */
  createDatabase(database: z.input<typeof Contract.createDatabaseRequestSchema>): Promise<Contract.ManagedDatabase>;
  listDatabases(): Promise<z.infer<typeof Contract.databasesSchema>>;
  getDatabase(name: string): Promise<Contract.ManagedDatabase>;
  databaseConnection(name: string): Promise<Contract.DatabaseConnection>;
  updateDatabase(
    name: string,
    change: z.input<typeof Contract.updateDatabaseRequestSchema>,
  ): Promise<Contract.ManagedDatabase>;
  /** It can be restored until its `delete_after`. */
  deleteDatabase(name: string): Promise<Contract.ManagedDatabase>;
  restoreDatabase(name: string): Promise<Contract.ManagedDatabase>;
  /** Gives its owner another password. */
  rotateDatabase(name: string): Promise<Contract.ManagedDatabase>;
  /** Puts pages of an invented handbook into it, to ask about; exposes nothing. */
  loadSample(name: string): Promise<Contract.DataSource>;
}

export function databaseCalls({ call }: Calls): DatabaseCalls {
  return {
    createDatabase: (database) => call("POST /api/wf/databases", (c) => c.databaseSchema, database),
    listDatabases: () => call("GET /api/wf/databases", (c) => c.databasesSchema),
    getDatabase: async (name) => call(address`GET /api/wf/databases/${name}`, (c) => c.databaseSchema),
    databaseConnection: async (name) =>
      call(address`GET /api/wf/databases/${name}/connection`, (c) => c.databaseConnectionSchema),
    updateDatabase: async (name, change) =>
      call(address`PATCH /api/wf/databases/${name}`, (c) => c.databaseSchema, change),
    deleteDatabase: async (name) => call(address`DELETE /api/wf/databases/${name}`, (c) => c.databaseSchema),
    restoreDatabase: async (name) => call(address`POST /api/wf/databases/${name}/restore`, (c) => c.databaseSchema),
    rotateDatabase: async (name) => call(address`POST /api/wf/databases/${name}/rotate`, (c) => c.databaseSchema),
    loadSample: async (name) => call(address`POST /api/wf/databases/${name}/sample`, (c) => c.dataSourceSchema),
  };
}
