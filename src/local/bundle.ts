/** The Worker's code as one script, with a configuration in place of `#config`. */
import { fileURLToPath } from "node:url";
import { build, type Plugin, stop } from "esbuild";

const ENTRY = fileURLToPath(new URL("worker/entry.ts", import.meta.url));

/** @param config what `#config` exports; it must survive JSON. */
export async function bundleWorker(config: unknown, entry: string = ENTRY): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    target: "es2024",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "browser", "import"],
    external: ["cloudflare:*"],
    // As in `wrangler.toml`.
    define: { "globalThis.process": "undefined" },
    jsx: "automatic",
    jsxImportSource: "#jsx",
    write: false,
    logLevel: "silent",
    plugins: [configPlugin(config)],
  });
  // Otherwise esbuild's process never ends.
  await stop();
  const [script] = outputFiles;
  if (script === undefined) throw new Error("the Worker's bundle is empty");
  return script.text;
}

function configPlugin(config: unknown): Plugin {
  return {
    name: "config",
    setup: (builder) => {
      builder.onResolve({ filter: /^#config$/ }, () => ({ path: "config", namespace: "config" }));
      builder.onLoad({ filter: /.*/, namespace: "config" }, () => ({
        contents: JSON.stringify(config),
        loader: "json",
      }));
    },
  };
}
