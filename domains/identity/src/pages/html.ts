/** Text that is markup already. Everything else is escaped on its way into a page. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | Html | readonly Html[] | undefined | false;

const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((text, string, index) => text + render(parts[index - 1]) + string));
}

function render(part: Part): string {
  if (part === undefined || part === false) return "";
  if (typeof part === "string") return part.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
  return part instanceof Html ? part.text : part.map(({ text }) => text).join("");
}
