/**
 * `npm run build`: what the npm package brings, in `dist/`. The library as ES modules and as CommonJS, the command line, and
 * declarations for both. The few packages that they use are in them, so that an installer gets no others.
 */
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions } from "esbuild";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const DIST = join(ROOT, "dist");
/** Where `tsc -b` puts declarations, by the folders of `src/`. */
const DECLARATIONS = join(ROOT, ".tsbuild", "src");

const LIBRARY = { index: "src/library/index.ts", fetch: "src/library/fetch/index.ts" };
const COMMAND_LINE = { cli: "src/commands/main.ts" };

/** The specifiers by which declarations import each other. */
const RELATIVE = /(?<=\b(?:from|import)\s*\(?\s*")(\.{1,2}\/[^"]+)\.ts(?=")/g;

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

/** Copies the library's declarations, and all that they import, for both kinds of modules. */
async function writeDeclarations(): Promise<void> {
  const found = new Set<string>();
  const open = Object.values(LIBRARY).map((path) => path.replace(/^src\//, "").replace(/\.ts$/, ".d.ts"));
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const built = await readFile(join(DECLARATIONS, path), "utf8");
    const text = built.replace(/\n?\/\/# sourceMappingURL=.*\n?$/, "\n");
    for (const [, module = ""] of text.matchAll(RELATIVE)) {
      open.push(posix.join(posix.dirname(path), `${module}.d.ts`));
    }
    const target = join(DIST, "types", path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text.replaceAll(RELATIVE, "$1.js"));
    await writeFile(target.replace(/\.d\.ts$/, ".d.cts"), text.replaceAll(RELATIVE, "$1.cjs"));
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
