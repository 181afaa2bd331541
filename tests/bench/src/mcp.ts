import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { CONNECTIONS, QUESTIONS, ROWS, startBare } from "./ask.ts";
import { createNotesSource, openAskWorld } from "./ask-world.ts";
import { connectAgent } from "./connect-agent.ts";
import { type Bench, type BenchCase, toCase } from "./harness.ts";
import { type LoadResult, runLoad, runRounds } from "./http-load.ts";

/** Many short ones, each beside its floor: a busy machine is then busy for both. */
const PER_ROUND = 1_000;
const ROUNDS = 11;
const PROTOCOL = "2026-07-28";

export const mcpBench: Bench = {
  summary:
    `data_source_query over MCP with an agent's token, ${CONNECTIONS} connections on ${ROWS} rows, ` +
    "against a bare server that runs the same SQL",
  run: async (report) => {
    report("starting a whole svc, and filling a database");
    const world = await openAskWorld();
    let bare: ChildProcess | undefined;
    try {
      const source = await createNotesSource(world, "notes", ROWS);
      const mcp = await world.stack.start("mcp-server", {}, { unread: true });
      const url = `${mcp.url}/platform`;
      const headers = { ...MESSAGE_HEADERS, authorization: `Bearer ${await connectAgent(world)}` };
      const messages = QUESTIONS.map((query) => writeMessage({ source_id: source, query, top_k: 10 }));
      await checkAnswer(url, headers, messages[0] ?? "");
      bare = fork(fileURLToPath(new URL("./bare-server.ts", import.meta.url)));
      const bareUrl = await startBare(bare, world);
      const bodies = QUESTIONS.map((query) => JSON.stringify({ query, top_k: 10 }));
      const pids = [mcp, world.gateway, world.auth].map(({ process }) => process.pid ?? 0);
      const connections = CONNECTIONS;
      return await measure(
        {
          bare: (count) => runLoad({ url: bareUrl, headers: {}, bodies, count, connections, pids: [bare?.pid ?? 0] }),
          mcp: (count) => runLoad({ url, headers, bodies: messages, count, connections, pids }),
        },
        report,
      );
    } finally {
      bare?.kill();
      await world.close();
    }
  },
};

type Runs = Record<"bare" | "mcp", (count: number) => Promise<LoadResult>>;

async function measure(runs: Runs, report: (line: string) => void): Promise<BenchCase[]> {
  const of = await runRounds(runs, { warmUp: 2_000, perRound: PER_ROUND, rounds: ROUNDS }, report);
  return [
    toCase("throughput", "questions/s", of("mcp", "perSecond"), of("bare", "perSecond"), { atLeast: 0.6 }),
    toCase("cpu", "µs CPU of our processes", of("mcp", "cpuMicros"), of("bare", "cpuMicros"), { atMost: 10 }),
  ];
}

const MESSAGE_HEADERS = {
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": PROTOCOL,
  "mcp-method": "tools/call",
  "mcp-name": "data_source_query",
};

function writeMessage(input: object): string {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": PROTOCOL,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name: "data_source_query", arguments: input, _meta: meta };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
}

/** An error inside the protocol comes with status 200, and is quickly given. */
async function checkAnswer(url: string, headers: Record<string, string>, body: string): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body,
  });
  const { result }: any = await response.json();
  if (result?.structuredContent?.count !== 10) throw new Error(`asked and got ${JSON.stringify(result).slice(0, 500)}`);
}
