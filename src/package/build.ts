/** `npm run build:package`: `dist/` with the library (ES, CommonJS, declarations), the command line, the Worker in parts and whole. */
import { cp, glob, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions } from "esbuild";
import { WORKER_BUILD } from "./worker-build.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const DIST = join(ROOT, "dist");
/** Where `tsc -b` puts declarations, by the folders of `src/`. */
const DECLARATIONS = join(ROOT, ".tsbuild", "src");

const LIBRARY = {
  index: "src/library/index.ts",
  fetch: "src/library/fetch/index.ts",
  config: "src/config/define-config.ts",
};
const COMMAND_LINE = { cli: "src/commands/main.ts" };
/** `gatepulse build` imports the parts, channels, canaries, rules and the reader of status pages that a configuration uses. */
const WORKER = [
  "src/index.ts",
  "src/alert/channels/index.ts",
  "src/alert/channels/*/*.ts",
  "src/http/parts/*.ts",
  "src/probe/canary-probe.ts",
  "src/domain/recurrence.ts",
  "src/probe/status-page.ts",
  "src/ledger/publish/export-metrics.ts",
];
const LOCAL_WORKER = { "local-worker": "src/local/worker/entry.ts" };

const WRITTEN = "config/written.d.ts";

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
const node = await build({
  ...SHARED,
  entryPoints: { ...LIBRARY, ...COMMAND_LINE },
  format: "esm",
  splitting: true,
  chunkNames: "shared-[hash]",
  metafile: true,
  // Only a checkout builds the local Worker itself.
  external: ["esbuild"],
});
await build({ ...SHARED, entryPoints: LIBRARY, format: "cjs", outExtension: { ".js": ".cjs" } });
const worker = await build({
  ...SHARED,
  ...WORKER_BUILD,
  entryPoints: WORKER,
  outbase: "src",
  outdir: join(DIST, "worker"),
  external: [
    ...WORKER_BUILD.external,
    "#channels",
    "#chinese",
    "#parts",
    "#canaries",
    "#recurrence",
    "#status-pages",
    "#metrics-export",
  ],
  splitting: true,
  chunkNames: "shared-[hash]",
  metafile: true,
});
await build({ ...SHARED, ...WORKER_BUILD, entryPoints: LOCAL_WORKER });
await writeDeclarations();
await writeLicenses([node, worker].flatMap(({ metafile }) => Object.keys(metafile.inputs)));

/** Copies the library's declarations, and all that they import, for both kinds of modules. */
async function writeDeclarations(): Promise<void> {
  const found = new Set<string>();
  await cp(join(ROOT, "src/package/worker.d.ts"), join(DIST, "worker", "index.d.ts"));
  const open = Object.values(LIBRARY).map((path) => path.replace(/^src\//, "").replace(/\.ts$/, ".d.ts"));
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const built = await readFile(join(DECLARATIONS, path), "utf8");
    const text = built.replace(/\n?\/\/# sourceMappingURL=.*\n?$/, "\n");
    for (const [, module = ""] of text.matchAll(RELATIVE)) {
      open.push(posix.join(posix.dirname(path), `${module}.d.ts`));
    }
    const told = path === WRITTEN ? await commented(text) : text;
    const target = join(DIST, "types", path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, told.replaceAll(RELATIVE, "$1.js"));
    await writeFile(target.replace(/\.d\.ts$/, ".d.cts"), told.replaceAll(RELATIVE, "$1.cjs"));
  }
}

/** Puts the schema's comments before the keys of the configuration, for editors. A key with several meanings has none. */
async function commented(declaration: string): Promise<string> {
  const comments = new Map<string, Set<string>>();
  for await (const file of glob("src/config/{*schema,fields}.ts", { cwd: ROOT })) {
    const source = await readFile(join(ROOT, file), "utf8");
    for (const [, comment = "", key = ""] of source.matchAll(/(\/\*\*(?:[^*]|\*(?!\/))*\*\/)\s+(\w+):/g)) {
      comments.set(
        key,
        (comments.get(key) ?? new Set()).add(comment.replaceAll(/\s*\n\s*(?:\*(?!\/))? ?/g, " ")),
      );
    }
  }
  return declaration.replaceAll(/^( +)(\w+)\??: /gm, (line, indent: string, key: string) => {
    const [comment, ...others] = comments.get(key) ?? [];
    return comment === undefined || others.length > 0 ? line : `${indent}${comment}\n${line}`;
  });
}

async function writeLicenses(inputs: readonly string[]): Promise<void> {
  const found = inputs.map((path) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const names = [...new Set(found.filter((name) => name !== undefined))].sort();
  await mkdir(join(DIST, "licenses"));
  for (const name of names) {
    const directory = join(ROOT, "node_modules", name);
    const license = (await readdir(directory)).find((file) => /^licen[cs]e/i.test(file));
    if (license === undefined) throw new Error(`${name} has no licence`);
    await cp(join(directory, license), join(DIST, "licenses", `${name.replace("/", "-")}.txt`));
  }
}
