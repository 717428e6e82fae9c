/**
 * `npm run build`: what the npm package brings, in `dist/`. The library as ES modules and as CommonJS, the command line, and
 * declarations for both; the few packages that they use are in them, so that an installer gets no others.
 */
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions } from "esbuild";
import { declarationsOf, retarget } from "./declarations.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const DIST = join(ROOT, "dist");
/** Where `tsc -b` puts declarations, by the folders of `src/`. */
const DECLARATIONS = join(ROOT, ".tsbuild", "src");

const LIBRARY = { index: "src/library/index.ts", fetch: "src/library/fetch/index.ts" };
const COMMAND_LINE = { cli: "src/cli/main.ts" };

const SHARED = {
  absWorkingDir: ROOT,
  outdir: DIST,
  bundle: true,
  platform: "node",
  target: ["es2023", "node20"],
  // Names stay, and lines are short: a stack trace says something.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  legalComments: "none",
  logLevel: "warning",
} as const satisfies BuildOptions;

await rm(DIST, { recursive: true, force: true });
const { metafile } = await build({
  ...SHARED,
  entryPoints: { ...LIBRARY, ...COMMAND_LINE },
  format: "esm",
  splitting: true,
  chunkNames: "shared-[hash]",
  metafile: true,
});
await build({ ...SHARED, entryPoints: LIBRARY, format: "cjs", outExtension: { ".js": ".cjs" } });
await writeDeclarations();
await writeLicenses(Object.keys(metafile.inputs));

async function writeDeclarations(): Promise<void> {
  const entries = Object.values(LIBRARY).map((path) => path.replace(/^src\//, "").replace(/\.ts$/, ".d.ts"));
  const files = await declarationsOf(entries, (path) => readFile(join(DECLARATIONS, path), "utf8"));
  for (const [path, text] of files) {
    const target = join(DIST, "types", path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, retarget(text, ".js"));
    await writeFile(target.replace(/\.d\.ts$/, ".d.cts"), retarget(text, ".cjs"));
  }
}

/** Code of others comes with its licence. */
async function writeLicenses(inputs: readonly string[]): Promise<void> {
  const found = inputs.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const names = [...new Set(found.filter((name) => name !== undefined))].sort();
  await mkdir(join(DIST, "licenses"));
  for (const name of names) {
    const file = `${name.replace("/", "-")}.txt`;
    await cp(join(ROOT, "node_modules", name, "LICENSE"), join(DIST, "licenses", file));
  }
}
