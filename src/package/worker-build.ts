/** How esbuild builds what runs in workerd. */
import type { BuildOptions } from "esbuild";

export const WORKER_BUILD = {
  bundle: true,
  format: "esm",
  target: "es2024",
  platform: "neutral",
  mainFields: ["module", "main"],
  conditions: ["workerd", "worker", "browser", "import"],
  external: ["cloudflare:*", "#config"],
  // As in `wrangler.toml`.
  define: { "globalThis.process": "undefined" },
  jsx: "automatic",
  jsxImportSource: "#jsx",
  logLevel: "silent",
} as const satisfies BuildOptions;
