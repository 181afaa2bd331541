import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type AskableSource,
  type Answer,
  type Caller,
  createDatabaseRequestSchema,
  ERRORS,
  type ErrorCode,
  type ManagedDatabase,
  questionSchema,
} from "@svc/contract";

export const KEY = "svc_0123456789abcdefghijABCDEFGHIJ0123456789";
const AT = "2026-05-01T10:00:00.000Z";

interface Received {
  request: string;
  body: unknown;
  userAgent: string | undefined;
}

export interface StandInService {
  url: string;
  received: Received[];
  /** What it knows. Tests change it. */
  caller: Caller;
  sources: AskableSource[];
  answer: Answer;
  databases: Map<string, ManagedDatabase>;
  /** How often a new database is said to be still in the making. */
  pollsUntilReady: number;
  /** Answers the next requests instead of the service. */
  instead: ((response: ServerResponse) => void) | undefined;
  stop(): void;
}

/** A service as the contract describes it, which refuses what the real one would. */
export async function startStandInService(): Promise<StandInService> {
  const server = createServer((request, response) => {
    readBody(request, (body) => answer(service, request, body, response));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const service: StandInService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...initialState(),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return service;
}

export function initialState(): Omit<StandInService, "url" | "stop"> {
  return {
    received: [],
    caller: {
      kind: "api_token",
      user: { id: "usr_01h455vb4pex5vsknk084sn02q", email: "ada@example.com", name: "Ada" },
      org: { id: "org_01h455vb4pex5vsknk084sn02q", slug: "acme", name: "Acme" },
      role: "developer",
      expires_at: null,
    },
    sources: [
      {
        id: "db_notes",
        name: "notes",
        min_role: "viewer",
        filters: { team: "string", year: "number" },
        targets: ["articles"],
        description: "Notes of the support team",
      },
      { id: "db_hr", name: "hr", min_role: "admin", filters: {}, targets: ["people"], description: null },
    ],
    answer: {
      count: 2,
      results: [
        { id: "42", title: "Refunds", metadata: { team: "billing", year: 2026, _score: 0.91234, _target: "articles" } },
        { id: "7", title: null, metadata: { team: null, _score: 0.5, _target: "articles" } },
      ],
    },
    databases: new Map([["notes", database("notes", { status: "ready", description: "Notes of the support team" })]]),
    pollsUntilReady: 0,
    instead: undefined,
  };
}

export function database(name: string, given: Partial<ManagedDatabase> = {}): ManagedDatabase {
  return {
    name,
    source_id: `db_${name}`,
    description: null,
    data_source: true,
    status: "creating",
    delete_after: null,
    created_at: AT,
    updated_at: AT,
    ...given,
  };
}

export function sendProblem(
  response: ServerResponse,
  code: ErrorCode,
  detail: string,
  more: { problems?: { path: string; message: string }[]; retryAfter?: number } = {},
): void {
  const { status, title } = ERRORS[code];
  const { problems, retryAfter } = more;
  const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  const problem = { type: `urn:svc:error:${code}`, title, status, detail, code, ...(problems && { problems }) };
  response.writeHead(status, { "content-type": "application/problem+json", ...headers }).end(JSON.stringify(problem));
}

function readBody(request: IncomingMessage, then: (text: string) => void): void {
  let text = "";
  request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  request.on("end", () => then(text));
}

function answer(
  service: StandInService,
  { method, url, headers }: IncomingMessage,
  text: string,
  response: ServerResponse,
): void {
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  service.received.push({ request: `${method} ${url}`, body, userAgent: headers["user-agent"] });
  if (service.instead) return service.instead(response);
  if (headers.authorization !== `Bearer ${KEY}`) {
    return sendProblem(response, "UNAUTHENTICATED", "Invalid or expired API token");
  }
  if (headers.accept !== "application/json") return sendProblem(response, "INVALID_REQUEST", "Ask for JSON.");
  const send = (document: unknown, status = 200): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(document));
  };
  const [, resource = "", name = "", act = ""] =
    /^\/api\/(?:wf\/)?([a-z/-]+?)(?:\/([a-z]+_?[a-z_0-9]*))?(?:\/(query|connection|restore|rotate))?$/.exec(
      url ?? "",
    ) ?? [];
  const known = service.databases.get(name);
  switch (`${method} ${resource}${name && "/:name"}${act && `/${act}`}`) {
    case "GET me":
      return send(service.caller);
    case "GET slim/data-sources":
      return send({ items: service.sources });
    case "POST slim/data-sources/:name/query":
      if (!service.sources.some(({ id }) => id === name))
        return sendProblem(response, "NOT_FOUND", "No such data source.");
      questionSchema.parse(body);
      return send(service.answer);
    case "GET databases":
      return send({ items: [...service.databases.values()] });
    case "POST databases":
      return createDatabase(service, body, response);
  }
  if (resource !== "databases") throw new Error(`the contract has no ${method} ${url}`);
  if (!known) return sendProblem(response, "NOT_FOUND", "No such database.");
  switch (`${method} ${act}`) {
    case "GET ":
      return send(look(service, known));
    case "GET connection":
      return send(connectionOf(name));
    case "DELETE ":
      return send(change(service, known, { status: "deleting", delete_after: "2026-05-08T10:00:00.000Z" }));
    case "POST restore":
      return send(change(service, known, { status: "ready", delete_after: null }));
    case "POST rotate":
      return send(known, 202);
  }
  throw new Error(`the contract has no ${method} ${url}`);
}

function createDatabase(service: StandInService, body: unknown, response: ServerResponse): void {
  const { name, description } = createDatabaseRequestSchema.parse(body);
  if (service.databases.has(name)) return sendProblem(response, "CONFLICT", `There is a database ${name} already.`);
  const created = database(name, { description: description ?? null });
  service.databases.set(name, created);
  response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(created));
}

function look(service: StandInService, known: ManagedDatabase): ManagedDatabase {
  if (known.status !== "creating") return known;
  if (service.pollsUntilReady <= 0) return change(service, known, { status: "ready" });
  service.pollsUntilReady -= 1;
  return known;
}

function change(service: StandInService, known: ManagedDatabase, to: Partial<ManagedDatabase>): ManagedDatabase {
  const changed = { ...known, ...to };
  service.databases.set(known.name, changed);
  return changed;
}

function connectionOf(name: string): object {
  const user = `${name}_owner`;
  return {
    connection_string: `postgres://${user}:s3cret@db.example.com:5432/${name}`,
    host: "db.example.com",
    port: 5432,
    database: name,
    user,
    password: "s3cret",
  };
}
