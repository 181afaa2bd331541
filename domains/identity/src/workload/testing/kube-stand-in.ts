import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { KubeConnection } from "../kube-request.ts";

interface Question {
  method: string | undefined;
  path: string | undefined;
  credential: string | undefined;
  body: unknown;
}

type Answer = { status: number; body: unknown } | "never";

export interface KubeStandIn {
  connection: KubeConnection;
  asked: Question[];
  /** How many of the questions were token reviews. */
  reviews(): number;
  answer: (question: Question) => Answer;
  server: Server;
  /** Another certificate, as after the cluster's authority was replaced. */
  renewCertificate(): void;
  close(): Promise<void>;
}

/** A real HTTPS server in the place of the Kubernetes API, for what the real one would not do on demand. */
export async function startKubeStandIn(): Promise<KubeStandIn> {
  const directory = mkdtempSync(join(tmpdir(), "svc-kube-"));
  const connection = { apiServer: "", caFile: join(directory, "ca.crt"), tokenFile: join(directory, "token") };
  writeFileSync(connection.tokenFile, "reviewer-1\n");
  const server = createServer(makeCertificate(connection.caFile), (request, response) => {
    void text(request).then((body) => {
      const question = {
        method: request.method,
        path: request.url,
        credential: request.headers.authorization,
        body: body === "" ? undefined : (JSON.parse(body) as unknown),
      };
      standIn.asked.push(question);
      const answer = standIn.answer(question);
      if (answer === "never") return;
      response.writeHead(answer.status, { "content-type": "application/json" });
      response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  connection.apiServer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const standIn: KubeStandIn = {
    connection,
    asked: [],
    reviews: () => standIn.asked.filter(({ path }) => path?.endsWith("/tokenreviews")).length,
    answer: () => ({ status: 404, body: {} }),
    server,
    renewCertificate: () => server.setSecureContext(makeCertificate(connection.caFile)),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      rmSync(directory, { recursive: true });
    },
  };
  return standIn;
}

function makeCertificate(certificateFile: string): { key: Buffer; cert: Buffer } {
  const keyFile = `${certificateFile}.key`;
  const options = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "1", "-nodes"];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-keyout", keyFile];
  execFileSync("openssl", ["req", "-x509", ...key, "-out", certificateFile, ...options], { stdio: "ignore" });
  return { key: readFileSync(keyFile), cert: readFileSync(certificateFile) };
}
