import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { build, type BuildOptions, type Plugin } from "esbuild";

const ROOT = join(import.meta.dirname, "..");

/** Large, for it brings zod, and not needed before an answer has come. */
const DEFERRED = "@svc/contract";

const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  minify: true,
  platform: "node",
  target: "node22.12",
  // Not ESM, in which every built-in module that is imported anywhere is loaded at the start.
  format: "cjs",
  // So that import() is a call of require, and not the way into the loader of ES modules.
  supported: { "dynamic-import": false },
  conditions: ["svc-source"],
  legalComments: "none",
} satisfies BuildOptions;

/** One file that needs Node.js and nothing else. */
export async function buildBundle(outfile: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  await build({
    ...COMMON,
    entryPoints: ["src/main.ts"],
    outfile,
    banner: { js: "#!/usr/bin/env node" },
    footer: { js: `function holdDeferred(){/*${await bundleDeferred()}*/}` },
    define: { SVC_VERSION: JSON.stringify(version) },
    plugins: [loadFromComment, leaveOutUnused],
  });
  chmodSync(outfile, 0o755);
}

async function bundleDeferred(): Promise<string> {
  const stdin = { contents: `module.exports = require(${JSON.stringify(DEFERRED)})`, resolveDir: ROOT };
  const { outputFiles } = await build({ ...COMMON, stdin, write: false, plugins: [leaveOutUnused] });
  // The same text to a string and to a regular expression. Should it ever be neither, it does not compile.
  const source = (outputFiles[0]?.text ?? "").replaceAll("*/", "*\\/");
  void new Script(source);
  return source;
}

/**
 * The module is a comment in a function, which gives its own text when it is asked for it. Measured: 300 KB of source
 * cost 8 ms when the program starts, even if none of it is run; as a string 4 ms, and as a comment less than 1 ms.
 */
const loadFromComment: Plugin = {
  name: "load-from-comment",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: new RegExp(`^${DEFERRED}$`) }, ({ path, kind }) => {
      if (kind !== "dynamic-import") throw new Error(`import ${path} with import(), so that it loads when it is used`);
      return { path, namespace: "deferred" };
    });
    onLoad({ filter: /./, namespace: "deferred" }, () => ({
      contents: `
        const text = holdDeferred.toString();
        const source = text.slice(text.indexOf("/*") + 2, text.lastIndexOf("*/"));
        new Function("module", "exports", "require", source)(module, exports, require);`,
    }));
  },
};

/** zod's messages in other languages, and what commander needs to start other programs, which svc never does. */
const leaveOutUnused: Plugin = {
  name: "leave-out-unused",
  setup: ({ onLoad, onResolve }) => {
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({ contents: 'export { default as en } from "./en.js"' }));
    onResolve({ filter: /^node:(child_process|fs|path|process)$/ }, ({ path, importer }) =>
      importer.includes("/commander/") ? { path, namespace: "unused" } : undefined,
    );
    onLoad({ filter: /./, namespace: "unused" }, ({ path }) => ({
      contents: `export default ${path === "node:process" ? "globalThis.process" : "{}"}`,
    }));
  },
};

// With a path: writes it there.
if (import.meta.main) await buildBundle(process.argv[2] ?? join(ROOT, "dist-bundle/svc.cjs"));
