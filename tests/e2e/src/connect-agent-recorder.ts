import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Recorder {
  /** To be given to a service in the place of the other's. */
  url: string;
  /** Every byte that came through, connection by connection. */
  sent(): string;
  close(): Promise<void>;
}

/** Stands between two services and passes on what it gets, below HTTP, so that there is nothing it could overlook. */
export async function startRecorder(target: string): Promise<Recorder> {
  const { hostname, port } = new URL(target);
  const recordings: Buffer[][] = [];
  const open = new Set<Socket>();
  const server = createServer((from) => {
    const recording: Buffer[] = [];
    recordings.push(recording);
    const to = connect(Number(port), hostname);
    from.on("data", (bytes) => recording.push(bytes));
    from.pipe(to).pipe(from);
    for (const socket of [from, to]) {
      open.add(socket);
      // Either end may go away at any time: the other is told by its connection, as it would be without us.
      socket.on("error", () => undefined);
      socket.on("close", () => {
        from.destroy();
        to.destroy();
        open.delete(socket);
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => recordings.map((recording) => Buffer.concat(recording).toString("latin1")).join("\n"),
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
