import pg from "pg";

type Parser = (text: string) => unknown;
type DriverType = Parameters<typeof pg.types.getTypeParser>[0];

const { builtins } = pg.types;

const finiteNumber: Parser = (text) => {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
};
/** Beyond fifteen digits JavaScript would round: such numbers stay as they were written. */
const exactNumber: Parser = (text) => {
  const digits = text.replace(/^-?0*\.?0*|\./g, "").length;
  return digits <= 15 ? finiteNumber(text) : text;
};
/** The reader's sessions are in UTC and write dates in ISO order, so only the separators differ from RFC 3339. */
const time: Parser = (text) => text.replace(" ", "T").replace(/\+00$/, "Z");
const asWritten: Parser = (text) => text;

const PARSERS = new Map<number, Parser>([
  [builtins.INT8, exactNumber],
  [builtins.NUMERIC, exactNumber],
  [builtins.FLOAT4, finiteNumber],
  [builtins.FLOAT8, finiteNumber],
  [builtins.TIMESTAMPTZ, time],
  [builtins.TIMESTAMP, time],
  [builtins.DATE, asWritten],
  [builtins.INTERVAL, asWritten],
  [builtins.BYTEA, asWritten],
  // Points and circles, which the driver would make objects of.
  [600, asWritten],
  [718, asWritten],
]);

/** How a value of the customer's database stands in an answer: what JSON has a form for, else its text. */
export const columnValues: pg.CustomTypesConfig = {
  getTypeParser: (oid: DriverType): Parser => PARSERS.get(oid) ?? (pg.types.getTypeParser(oid) as Parser),
};
