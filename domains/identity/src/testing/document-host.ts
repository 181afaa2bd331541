import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createNetServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const CERTIFICATE = makeCertificate();

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: string | object;
}

export interface DocumentHost {
  /** `https://agent.example.com:PORT`; every name under example.com has the certificate. */
  origin: string;
  port: number;
  ca: string;
  /** Paths that were asked for. */
  asked: string[];
  /** By path; undefined is 404. */
  answers: Map<string, Answer>;
  /** Puts a document at an address and says which. */
  publish(path: string, document?: object): string;
  close(): Promise<void>;
}

/** A real HTTPS server where clients describe themselves. */
export async function startDocumentHost(address = "127.0.0.1"): Promise<DocumentHost> {
  const answers = new Map<string, Answer>();
  const asked: string[] = [];
  const server = createServer(CERTIFICATE, (request, response) => {
    asked.push(request.url ?? "");
    const { status = 200, headers = {}, body = "" } = answers.get(request.url ?? "") ?? { status: 404 };
    response.writeHead(status, { "content-type": "application/json", connection: "close", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  server.listen(0, address);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const origin = `https://agent.example.com:${port}`;
  return {
    origin,
    port,
    ca: CERTIFICATE.cert,
    asked,
    answers,
    publish: (path, document = {}) => {
      const clientId = origin + path;
      const body = { client_id: clientId, client_name: "Documented", redirect_uris: ["https://agent.example.com/cb"] };
      answers.set(path, { body: { ...body, ...document } });
      return clientId;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export interface Trap {
  port: number;
  /** Connections, before a single byte. */
  reached: number;
  close(): Promise<void>;
}

/** Something inside that nobody outside may make us knock at: by any address of this machine, unless one is named. */
export async function startTrap(address?: string, port = 0): Promise<Trap> {
  const trap: Trap = { port, reached: 0, close: async () => undefined };
  const server = createNetServer((socket) => {
    trap.reached += 1;
    socket.destroy();
  });
  server.listen(port, address);
  await once(server, "listening");
  trap.port = (server.address() as AddressInfo).port;
  trap.close = async () => {
    server.close();
    await once(server, "close");
  };
  return trap;
}

function makeCertificate(): { key: string; cert: string } {
  const directory = mkdtempSync(join(tmpdir(), "svc-documents-"));
  const [key, cert] = [join(directory, "key.pem"), join(directory, "cert.pem")];
  try {
    const names = "subjectAltName=DNS:example.com,DNS:*.example.com";
    const made = ["-keyout", key, "-out", cert, "-days", "2", "-subj", "/CN=example.com", "-addext", names];
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
    execFileSync("openssl", ["req", "-x509", ...curve, "-nodes", ...made], { stdio: "ignore" });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
