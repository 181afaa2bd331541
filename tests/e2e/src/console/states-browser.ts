import { ERRORS, type Problem } from "@svc/contract";
import type { Page } from "playwright-core";
import type { Answers } from "./states-answers.ts";

/** What the service does to the page for the time being. Paths as in `Answers`. */
export interface Weather {
  answers?: Answers;
  /** Not answered before `release`. */
  held?: string | undefined;
  /** Answered with a problem. */
  failing?: string;
}

export interface StagedService {
  set(weather: Weather): void;
  /** Lets through what is held. */
  release(): void;
}

/** In place of an answer: the service's own. */
const REAL = "real";
/** The service's own, made into another. */
const CHANGED = "changed";
type Staged = typeof REAL | typeof CHANGED | { status: number; body: object };

const UNAVAILABLE: Problem = {
  type: "about:blank",
  title: ERRORS.UNAVAILABLE.title,
  status: ERRORS.UNAVAILABLE.status,
  detail: "The database does not answer. Nothing was changed.",
  code: "UNAVAILABLE",
};

/**
 * Stands between the page and the service, which answers whatever nothing else is said about. In the page and not by
 * the browser's interception, with which it would load and compile all scripts anew for each of a hundred visits.
 */
export async function stageService(page: Page): Promise<StagedService> {
  let weather: Weather = {};
  let waiting: (() => void)[] = [];
  const answerTo = (path: string): Answers[string] | undefined =>
    Object.entries(weather.answers ?? {}).find(([pattern]) => isMeant(pattern, path))?.[1];
  const release = (): void => {
    const held = waiting;
    waiting = [];
    for (const go of held) go();
  };
  await page.exposeFunction("stagedAnswer", async (path: string): Promise<Staged> => {
    if (isMeant(weather.held, path)) await new Promise<void>((resolve) => waiting.push(resolve));
    if (isMeant(weather.failing, path)) return { status: UNAVAILABLE.status, body: UNAVAILABLE };
    const answer = answerTo(path);
    if (answer === undefined) return REAL;
    return typeof answer === "function" ? CHANGED : { status: 200, body: answer };
  });
  await page.exposeFunction("changedAnswer", (path: string, real: never): object => {
    const change = answerTo(path);
    return typeof change === "function" ? change(real) : real;
  });
  await page.addInitScript(`(${STAGE})()`);
  return {
    set: (next) => {
      release();
      weather = next;
    },
    release: () => {
      weather = { ...weather, held: undefined };
      release();
    },
  };
}

const STAGE = `() => {
  const send = window.fetch;
  window.fetch = async (address, init) => {
    const path = new URL(address, location.href).pathname;
    const staged = path.startsWith("/api/") ? await stagedAnswer(path) : "${REAL}";
    if (staged === "${REAL}") return send(address, init);
    if (staged !== "${CHANGED}") return Response.json(staged.body, { status: staged.status });
    const real = await send(address, init);
    return Response.json(await changedAnswer(path, await real.json()));
  };
}`;

/** `**` is all but the session, without which there is no page at all. */
function isMeant(pattern: string | undefined, path: string): boolean {
  if (pattern === undefined) return false;
  if (pattern === "**") return !path.startsWith("/api/v1/session");
  return new RegExp(`^${pattern.replaceAll("*", "[^/]+")}$`).test(path);
}

/** Each of them is used by one at a time; who comes when none is free waits. */
export function shareAmong<T>(items: T[]): (use: (item: T) => Promise<void>) => Promise<void> {
  const free = [...items];
  const waiting: ((item: T) => void)[] = [];
  return async (use) => {
    const item = free.pop() ?? (await new Promise<T>((resolve) => waiting.push(resolve)));
    try {
      await use(item);
    } finally {
      const next = waiting.shift();
      if (next) next(item);
      else free.push(item);
    }
  };
}
