import type { LocalPerson } from "./local-provider.ts";

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 24rem; margin: 15vh auto 0; padding: 0 1rem; }
h1 { font-size: 1.25rem; }
button { display: block; width: 100%; margin: 0.5rem 0; padding: 0.75rem 1rem; font: inherit; text-align: left; }
`;

/** Who would you like to be? Everyone who can reach this page may be anyone on it. */
export function peoplePage(name: string, people: LocalPerson[]): string {
  const buttons = people.map(
    ({ sub, claims }) => `<button name="person" value="${escape(sub)}">${escape(claims.email ?? sub)}</button>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Choose an account</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Choose an account</h1>
<p>This page stands in for ${escape(name)} on this machine. No password is asked.</p>
<form method="post">
${buttons.join("\n")}
<button name="person" value="">Cancel</button>
</form>
</main>
</body>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
