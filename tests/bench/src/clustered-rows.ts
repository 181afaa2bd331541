import type pg from "pg";

export const DIMENSIONS = 384;
export const CLUSTERS = 500;
/** How far points lie from the middle of their cluster, which itself is at a distance of 1 from the origin. */
const SPREAD = 1;
const ROWS_PER_COPY = 4_000;
const BODY = "A sentence of the handbook. ".repeat(8);

export interface Cloud {
  /** A point of this cluster, as long as every other. */
  draw(cluster: number): Float32Array;
  /** Any number below this one. */
  pick(below: number): number;
}

/** Points around random middles, the same in every run. */
export function createCloud(seed: number): Cloud {
  const random = seededRandom(seed);
  const gaussian = seededGaussian(random);
  const scale = 1 / Math.sqrt(DIMENSIONS);
  const middles = Array.from({ length: CLUSTERS }, () =>
    normalise(Float32Array.from({ length: DIMENSIONS }, () => gaussian())),
  );
  return {
    draw: (cluster) => {
      const middle = middles[cluster] ?? new Float32Array(DIMENSIONS);
      const point = new Float32Array(DIMENSIONS);
      for (let n = 0; n < DIMENSIONS; n += 1) point[n] = (middle[n] ?? 0) + SPREAD * scale * gaussian();
      return normalise(point);
    },
    pick: (below) => Math.floor(random() * below),
  };
}

/**
 * Makes the table `pages` and fills it. Of `tenth`, `hundredth` and `thousandth` each value is on that part of the
 * rows, whatever their cluster; `cluster_tag` is the cluster.
 */
export async function fillPages(client: pg.Client, cloud: Cloud, rows: number): Promise<void> {
  await client.query(`create table pages (
    id integer primary key, title text, body text, tenth integer, hundredth integer, thousandth integer,
    cluster_tag integer, embedding vector(${DIMENSIONS}))`);
  for (let first = 0; first < rows; first += ROWS_PER_COPY) {
    const tuples = Array.from({ length: Math.min(ROWS_PER_COPY, rows - first) }, (_, n) => tupleOf(first + n, cloud));
    await copyIn(client, "copy pages from stdin (format binary)", tuples);
  }
}

function tupleOf(id: number, cloud: Cloud): Buffer {
  const cluster = cloud.pick(CLUSTERS);
  const fields = [
    int4(id),
    Buffer.from(`Page ${id}`),
    Buffer.from(BODY),
    int4(id % 10),
    int4(id % 100),
    int4(id % 1_000),
    int4(cluster),
    binaryVector(cloud.draw(cluster)),
  ];
  const count = Buffer.alloc(2);
  count.writeInt16BE(fields.length);
  return Buffer.concat([count, ...fields.flatMap((field) => [int4(field.length), field])]);
}

/** As pgvector reads it: dimensions, two bytes that are zero, single precision numbers. */
export function binaryVector(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(4 + vector.length * 4);
  bytes.writeInt16BE(vector.length, 0);
  for (let n = 0; n < vector.length; n += 1) bytes.writeFloatBE(vector[n] ?? 0, 4 + n * 4);
  return bytes;
}

function int4(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

const COPY_START = Buffer.concat([Buffer.from("PGCOPY\n\u00ff\r\n\u0000", "latin1"), Buffer.alloc(8)]);
const COPY_END = Buffer.from([0xff, 0xff]);

interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** The driver speaks the protocol of COPY, and leaves it to others to say so. */
async function copyIn(client: pg.Client, text: string, tuples: Buffer[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  client.query({
    submit: (connection: unknown) => (connection as CopyConnection).query(text),
    handleCopyInResponse: (connection: CopyConnection) => {
      connection.sendCopyFromChunk(Buffer.concat([COPY_START, ...tuples, COPY_END]));
      connection.endCopyFrom();
    },
    handleCommandComplete: () => undefined,
    handleReadyForQuery: () => resolve(),
    handleError: reject,
  } as pg.Submittable);
  await promise;
}

function normalise(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}

/** Mulberry32. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Box and Muller's way makes two at a time. */
function seededGaussian(random: () => number): () => number {
  let spare: number | undefined;
  return () => {
    if (spare !== undefined) {
      const value = spare;
      spare = undefined;
      return value;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}
