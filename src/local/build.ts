/** `gatepulse build`, which wrangler runs before each deploy: a Worker with the parsed configuration and the parts that it uses. */
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";
import type * as Esbuild from "esbuild";
import { minify } from "terser";
import type { Config } from "../config/config.ts";
import ALERT_WORDS from "../alert/en.json" with { type: "json" };
import { isCheckout, packagePath } from "../package/root.ts";
import { WORKER_BUILD } from "../package/worker-build.ts";
import { requireOfWrangler } from "./wrangler.ts";

/** `wrangler.toml` names files in this directory. */
const FOLDER = ".gatepulse";
const WORKER = "worker.js";

/** @param project the directory with `wrangler.toml`. @throws NoWranglerError */
export async function buildProject(project: string, config: Config): Promise<void> {
  const folder = join(project, FOLDER);
  await mkdir(folder, { recursive: true });
  const made = { ...modulesOf(config), "chinese.json": await chineseOf(config) };
  for (const [name, text] of Object.entries(made)) await writeFile(join(folder, name), text);
  const aliases = Object.keys(made).map((name) => [`#${parse(name).name}`, join(folder, name)]);
  const { code, map } = await bundle(join(project, "src/index.ts"), Object.fromEntries(aliases));
  await writeFile(join(folder, WORKER), code);
  await writeFile(join(folder, `${WORKER}.map`), map);
  // An earlier version may have left others.
  await rm(join(folder, "assets"), { recursive: true, force: true });
  await cp(packagePath("src/http/assets"), join(folder, "assets"), { recursive: true });
}

function modulesOf(config: Config): Readonly<Record<string, string>> {
  const { alerts, gateways, recurring, parts } = config;
  const named = (names: readonly string[]) => `{ ${[...new Set(names)].join(", ")} }`;
  const kinds = named(alerts.map(({ kind }) => kind));
  const hasCanary = gateways.some(({ monitors }) => monitors.some(({ canary }) => canary !== null));
  const hasUpstream = gateways.some(({ upstream }) => upstream.length > 0);
  return {
    "config.json": JSON.stringify(config),
    "channels.js": `import ${kinds} from ${partOf("alert/channels/index")};
const KINDS = ${kinds};
export const channelKind = ({ kind }) => KINDS[kind];
`,
    "parts.js": `import ${named(parts)} from ${partOf("http/parts/index")};
export const PARTS = ${named(parts)};
`,
    "canaries.js": partIf(hasCanary, "probe/canary-probe", "runCanaryProbe"),
    "recurrence.js": partIf(recurring.length > 0, "domain/recurrence", "recurringWindows", "() => []"),
    "metrics-export.js": partIf(config.otlp !== null, "ledger/publish/export-metrics", "exportMetrics"),
    "status-pages.js": partIf(hasUpstream, "probe/status-page", "readStatusPage"),
  };
}

/** What alerts need of the Chinese catalogue. */
async function chineseOf({ language }: Config): Promise<string> {
  if (language !== "zh") return "null";
  const words = JSON.parse(await readFile(packagePath("src/http/assets/zh.json"), "utf8")) as object;
  const needed = new Set([...Object.keys(ALERT_WORDS), "causes", "operatorCauses", "stored"]);
  // Problems take their words from the file itself.
  const text = (key: string, value: unknown) => (key === "problems" ? [] : value);
  return JSON.stringify(Object.fromEntries(Object.entries(words).filter(([key]) => needed.has(key))), text);
}

/** A function of a module; `instead` if nothing uses it. */
function partIf(isUsed: boolean, module: string, name: string, instead = "null"): string {
  return isUsed ? `export { ${name} } from ${partOf(module)};\n` : `export const ${name} = ${instead};\n`;
}

/** How a module of the Worker is imported from anywhere. @param name below `src/`. */
function partOf(name: string): string {
  return JSON.stringify(
    isCheckout ? packagePath("src", `${name}.ts`) : packagePath("dist/worker", `${name}.js`),
  );
}

/** esbuild bundles, and terser makes the bundle smaller than esbuild alone does. */
async function bundle(entry: string, alias: Readonly<Record<string, string>>) {
  const { build } = requireOfWrangler()("esbuild") as typeof Esbuild;
  const { outputFiles } = await build({
    ...WORKER_BUILD,
    external: ["cloudflare:*"],
    entryPoints: [entry],
    alias,
    minify: true,
    sourcemap: "external",
    outdir: "/",
    write: false,
  });
  const textOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? "";
  const { code = "", map } = await minify(textOf(".js"), {
    module: true,
    ecma: 2020,
    sourceMap: { content: textOf(".map"), url: `${WORKER}.map` },
  });
  return { code, map: typeof map === "string" ? map : JSON.stringify(map) };
}
