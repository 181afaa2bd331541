import { parseArgs } from "node:util";
import { addClient, disableClient, enableClient, type IdentityTables, listClients } from "@svc/identity";
import { type Database, isDatabaseUnavailable, openDatabase } from "@svc/platform/db";
import { AppError } from "@svc/platform/errors";
import { createLogger } from "@svc/platform/telemetry";
import { renderTable } from "./render-table.ts";

export const HELP = `Looks after the agents that may connect, in the database of the auth service.

Usage:
  svc-admin clients add --name NAME --redirect-uri URI [--redirect-uri URI …] [--json]
  svc-admin clients list [--json]
  svc-admin clients disable CLIENT_ID
  svc-admin clients enable CLIENT_ID

  add      Makes a client that never expires and counts for no limit. It has no secret: PKCE protects it.
  list     Those that an operator added, that registered by themselves, and that are blocked.
  disable  Nobody can connect or renew with it, and what people have allowed it ends. CLIENT_ID may be the
           https address of a metadata document, which blocks it.
  enable   Lets it connect again. People have to allow it anew.

IDENTITY_DATABASE_URL must be set, as it is for the auth service.

Examples:
  svc-admin clients add --name "Reports agent" --redirect-uri https://agent.example.com/callback
  svc-admin clients add --name "Desk agent" --redirect-uri http://127.0.0.1/callback
  svc-admin clients list --json
  svc-admin clients disable https://agent.example.com/client.json
`;

const OPTIONS = {
  name: { type: "string" },
  "redirect-uri": { type: "string", multiple: true },
  json: { type: "boolean", default: false },
} as const;

interface Output {
  write(text: string): unknown;
}

interface Outcome {
  exitCode: number;
  problem?: string;
}

/** Exit codes as the command-line client has them: 0 done, 1 away, 4 not found, 5 not understood. */
export async function runAdmin(args: string[], databaseUrl: string, output: Output): Promise<Outcome> {
  const log = createLogger({ service: "svc-admin", level: "silent" });
  const database = openDatabase<IdentityTables>({ url: databaseUrl, name: "svc-admin", log, maxConnections: 1 });
  try {
    output.write(await runCommand(args, database));
    return { exitCode: 0 };
  } catch (error) {
    if (error instanceof AppError) return { exitCode: error.code === "NOT_FOUND" ? 4 : 5, problem: error.message };
    if (isDatabaseUnavailable(error)) {
      return { exitCode: 1, problem: "The database cannot be reached. Check IDENTITY_DATABASE_URL." };
    }
    throw error;
  } finally {
    await database.close();
  }
}

async function runCommand(args: string[], { db }: Database<IdentityTables>): Promise<string> {
  const { values, positionals } = readArgs(args);
  const [noun, verb, clientId, ...surplus] = positionals;
  if (noun !== "clients" || surplus.length > 0) throw notUnderstood("Only `clients` can be looked after.");
  if (verb === "add" && clientId === undefined) {
    const { name, "redirect-uri": redirectUris = [], json } = values;
    if (!name || redirectUris.length === 0) throw notUnderstood("Give --name and at least one --redirect-uri.");
    const client = await addClient(db, { name, redirectUris });
    return json
      ? `${JSON.stringify(client, null, 2)}\n`
      : `Added ${client.name}. Its client id is ${client.client_id}\n`;
  }
  if (verb === "list" && clientId === undefined) {
    const clients = await listClients(db);
    return values.json ? `${JSON.stringify(clients, null, 2)}\n` : renderTable(clients.map(toRow));
  }
  if (verb === "disable" && clientId !== undefined) {
    const ended = await disableClient({ db }, clientId);
    return `Disabled ${clientId}. ${ended} of people's grants ended.\n`;
  }
  if (verb === "enable" && clientId !== undefined) {
    await enableClient({ db }, clientId);
    return `Enabled ${clientId}. People can connect it again.\n`;
  }
  throw notUnderstood("Say what to do: add, list, disable CLIENT_ID or enable CLIENT_ID.");
}

function readArgs(args: string[]): ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>> {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw notUnderstood((error as Error).message.split("\n")[0] ?? "");
  }
}

function notUnderstood(what: string): AppError {
  return new AppError("INVALID_REQUEST", `${what} Run with --help for the commands.`);
}

function toRow(client: Awaited<ReturnType<typeof listClients>>[number]): Record<string, string> {
  return {
    "CLIENT ID": client.client_id,
    NAME: client.name,
    KIND: client.kind,
    STATE: client.is_active ? "active" : "blocked",
    GRANTS: String(client.grants),
    EXPIRES: client.expires_at?.slice(0, 10) ?? "never",
  };
}
