import type { ModelProbe } from "@svc/contract";
import type { Embedder } from "../embedding/models.ts";
import type { SourceSession } from "../queries/catalog.ts";
import { countCloserRows, type SampledRow, sampleRows } from "../queries/vector-samples.ts";
import type { EntryPlan } from "../search-plan.ts";

type ProbedEntry = ModelProbe["entries"][number];

const SAMPLED_ROWS = 20;
const SAMPLED_OUT_OF = 500;
/** Models read the beginning of a text; what follows costs and changes little. */
const MOST_CHARACTERS = 2_000;
/** Rows compared with, times dimensions: what is sorted through stays near 8 MB. */
const MOST_NUMBERS = 2_000_000;
const MOST_NEIGHBOURS = 10;
const FEWEST_ROWS = 10;
/** Measured: 20 of 20 with the model that made the vectors, 2 of 20 with another of the same dimensions. */
const FITS_FROM = 0.6;
const DOES_NOT_FIT_UP_TO = 0.3;

interface Question {
  text: string;
  own: string;
}

/** Embeds the content of some rows anew and looks whether each row is then among the nearest to itself. */
export async function probeEntry(
  session: SourceSession,
  plan: EntryPlan,
  embedder: Embedder | undefined,
  signal: AbortSignal,
): Promise<ProbedEntry> {
  const about = { target: plan.label, model: plan.model };
  const unclear = (message: string, sampled = 0): ProbedEntry => ({
    ...about,
    sampled,
    found: 0,
    verdict: "unclear",
    message,
  });
  if (!embedder) return unclear(`The model ${plan.model} is not set up any more: ask the operator to set it up.`);
  const columns = plan.contentColumns.slice(1);
  if (columns.length === 0) return unclear("There is nothing to embed but the id: add a column to content_columns.");

  const limits = { rows: SAMPLED_ROWS, outOf: SAMPLED_OUT_OF, characters: MOST_CHARACTERS };
  const rows = await sampleRows(session, plan, columns, limits);
  const phrasings = phrase(rows);
  const sampled = phrasings[0]?.length ?? 0;
  if (sampled === 0) return unclear("No row has both a vector and content: fill the table, then probe again.");

  const results = [];
  for (const questions of phrasings) results.push(await countFound(session, plan, embedder, questions, signal));
  const tooFew = results.find((result) => result.rows < FEWEST_ROWS);
  if (tooFew) {
    return unclear(`Only ${tooFew.rows} rows have a vector: too few to tell. Probe again at ${FEWEST_ROWS}.`, sampled);
  }
  const found = Math.max(...results.map((result) => result.found));
  return { ...about, sampled, found, ...judge(found, sampled, plan.model) };
}

/** Vectors may have been made of all the content or of the title alone; the better of both counts. */
function phrase(rows: SampledRow[]): Question[][] {
  const whole = rows.map(({ texts, vector }) => ({ text: joined(texts), own: vector }));
  const titles = rows
    .filter(({ texts }) => texts.length > 1)
    .map(({ texts, vector }) => ({ text: joined(texts.slice(0, 1)), own: vector }));
  return [whole, titles.filter(({ text }) => /\p{L}/u.test(text))]
    .map((questions) => questions.filter(({ text }) => text !== ""))
    .filter((questions) => questions.length > 0);
}

function joined(texts: (string | null)[]): string {
  return texts
    .filter((text) => text !== null && text.trim() !== "")
    .join("\n")
    .slice(0, MOST_CHARACTERS);
}

async function countFound(
  session: SourceSession,
  plan: EntryPlan,
  embedder: Embedder,
  questions: Question[],
  signal: AbortSignal,
): Promise<{ found: number; rows: number }> {
  const vectors = await embedder.embed(
    questions.map(({ text }) => text),
    signal,
  );
  const asked = questions.map(({ own }, place) => ({ question: `[${(vectors[place] ?? []).join(",")}]`, own }));
  const outOf = Math.max(100, Math.min(5_000, Math.floor(MOST_NUMBERS / plan.dimensions)));
  const counted = await countCloserRows(session, plan, asked, outOf);
  const rows = counted[0]?.rows ?? 0;
  // In a small table ten neighbours are most of it, and any vector would be among them.
  const neighbours = Math.min(MOST_NEIGHBOURS, Math.floor(rows / 5));
  return { rows, found: counted.filter(({ closer }) => closer < neighbours).length };
}

function judge(found: number, sampled: number, model: string): Pick<ProbedEntry, "verdict" | "message"> {
  const count = `${found} of ${sampled} rows were found again by their own text`;
  if (found >= sampled * FITS_FROM) {
    return { verdict: "fits", message: `${count}: the vectors look like those of ${model}.` };
  }
  if (found <= sampled * DOES_NOT_FIT_UP_TO) {
    const what = `${count}: the vectors do not look like those of ${model}, or not like those of this content.`;
    return { verdict: "does_not_fit", message: `${what} Name the model that filled the column, or fill it anew.` };
  }
  const what = `${count}, which says neither yes nor no: the vectors may be of other text than the content columns.`;
  return { verdict: "unclear", message: `${what} Ask a few questions and see whether the answers fit.` };
}
