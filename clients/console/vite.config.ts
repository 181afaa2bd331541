import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

export default defineConfig(({ mode }) => ({
  plugins: [react(), tailwindcss(), compressOnce()],
  resolve: { conditions: ["svc-source", "module", "browser", "development|production"] },
  build: {
    outDir: "dist/site",
    emptyOutDir: true,
    // The policy of the page allows files of this origin only.
    assetsInlineLimit: 0,
    sourcemap: mode !== "production",
    target: "es2024",
    manifest: true,
  },
  server: {
    port: 4020,
    strictPort: true,
    // `pnpm dev` runs beside it and answers for everything that is no page.
    proxy: Object.fromEntries(
      ["/api", "/auth", "/login", "/logout", "/oauth"].map((path) => [
        path,
        process.env["SVC_GATEWAY_URL"] ?? "http://127.0.0.1:4000",
      ]),
    ),
  },
}));

/** Beside each file what a server would otherwise make of it at every request. */
function compressOnce(): Plugin {
  let directory = "";
  return {
    name: "compress-once",
    apply: "build",
    configResolved: ({ root, build }) => {
      directory = resolve(root, build.outDir);
    },
    writeBundle: () => {
      for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
        if (!/\.(js|css|svg|html)$/.test(name)) continue;
        const path = join(directory, name);
        const text = readFileSync(path);
        writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
        writeFileSync(`${path}.br`, brotliCompressSync(text));
      }
    },
  };
}
