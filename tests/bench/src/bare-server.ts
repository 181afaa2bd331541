/*
 * The floor of `pnpm bench ask`: the least that answers a question over HTTP. Reads a JSON body, has the vector, runs
 * the statement, writes JSON. No token, no limit, no check, no record.
 */
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import pg from "pg";

interface BareSettings {
  connection: pg.PoolConfig;
  statement: string;
  columns: string[];
  vectors: Record<string, string>;
}

process.once("message", (settings: BareSettings) => {
  const pool = new pg.Pool(settings.connection);
  const vectors = new Map(Object.entries(settings.vectors).map(([text, hex]) => [text, Buffer.from(hex, "hex")]));
  const server = createServer((request, response) => {
    void json(request).then(async (body) => {
      const { query, top_k } = body as { query: string; top_k: number };
      const { rows } = await pool.query({
        name: "bare",
        text: settings.statement,
        values: [vectors.get(query), top_k],
        rowMode: "array",
      });
      const results = rows.map((row: unknown[]) => ({
        id: row[0],
        title: row[1],
        metadata: {
          ...Object.fromEntries(settings.columns.slice(2).map((column, index) => [column, row[index + 2]])),
          _score: 1 - Number(row[settings.columns.length]),
        },
      }));
      const text = JSON.stringify({ count: results.length, results });
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
      response.end(text);
    });
  });
  server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
});
