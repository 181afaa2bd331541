import { html } from "./html.ts";
import type { Page } from "./layout.ts";

export const CONNECT_PROBLEMS = {
  refused: {
    status: 400,
    title: "This agent cannot be connected",
    text: "What it asked for is not in order, so you were not sent back to it. Tell who makes the agent what it says below.",
  },
  expired: {
    status: 400,
    title: "This request has expired",
    text: "It took longer than half an hour, was finished before, or began in another browser. Go back to the agent and connect again, with cookies allowed.",
  },
  "from-elsewhere": {
    status: 403,
    title: "That did not come from this site",
    text: "Another site has tried to do this in your name, so nothing was done. If it was you, go back to the agent and connect again.",
  },
  throttled: {
    status: 429,
    title: "Too many attempts",
    text: "There were too many attempts from your network. Wait a minute, then go back to the agent and connect again.",
  },
  unavailable: {
    status: 503,
    title: "We are not quite there",
    text: "The service cannot reach its database right now. Nothing was allowed. Go back to the agent in a minute and connect again.",
  },
  internal: {
    status: 500,
    title: "Something went wrong on our side",
    text: "It was not you, and nothing was allowed. Connect again; if it happens again, give support the reference below.",
  },
} as const;
export type ConnectProblemKind = keyof typeof CONNECT_PROBLEMS;

interface ConnectProblemPage {
  kind: ConnectProblemKind;
  /** What exactly, for who makes the agent. */
  detail?: string;
  /** By which support finds the log. */
  requestId?: string;
}

/** There is nothing to click: the way on begins in the agent. */
export function connectProblemPage({ kind, detail, requestId }: ConnectProblemPage): Page {
  const { title, text, status } = CONNECT_PROBLEMS[kind];
  return {
    title,
    main: html`<h1>${title}</h1>
      <p>${text}</p>
      ${detail && html`<p><code>${detail}</code></p>`}`,
    ...(status >= 500 && requestId && { footer: html`<p>Reference: <code>${requestId}</code></p>` }),
  };
}
