/**
 * docs/performance.md: what was measured, each part between marks of its own with the place and time in a line, and around
 * them what people wrote. A run that measures some parts leaves the others as they are.
 */
import { readFile, writeFile } from "node:fs/promises";
import { cpus, release, totalmem, type } from "node:os";
import { fileURLToPath } from "node:url";
import { format } from "oxfmt";

/** Such as `2026-11-22 18:02 UTC, AMD EPYC (2 cores, 24 GB), Linux 6.1.0; Node 24.21.0, …`. */
export async function placeAndTime(nowMs: number): Promise<string> {
  const time = new Date(nowMs).toISOString().slice(0, 16).replace("T", " ");
  return `${time} UTC, ${machine()}; ${(await versions()).join(", ")}`;
}

function machine(): string {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? "unknown processor";
  const gigabytes = Math.round(totalmem() / 1e9);
  return `${model} (${processors.length} cores, ${gigabytes} GB), ${type()} ${release()}`;
}

async function versions(): Promise<readonly string[]> {
  const manifest: { readonly devDependencies: object } = JSON.parse(
    await readFile(new URL("../../package.json", import.meta.url), "utf8"),
  );
  // Pinned: what is named there is what ran.
  const pinned = ["workerd", "wrangler"].map(
    (name) => `${name} ${String(Reflect.get(manifest.devDependencies, name))}`,
  );
  return [`Node ${process.versions.node}`, ...pinned];
}

const FILE = fileURLToPath(new URL("../../docs/performance.md", import.meta.url));

/** Puts `body` (Markdown) between the marks of `name`; where there are none, at the end. */
export async function writeMeasured(name: string, body: string): Promise<void> {
  await writeFile(FILE, await withMeasured(FILE, await readFile(FILE, "utf8"), name, body));
}

/** The document of the file with `body` between the marks of `name`, formatted. @throws where one of the marks is missing. */
export async function withMeasured(
  file: string,
  document: string,
  name: string,
  body: string,
): Promise<string> {
  const begin = `<!-- measured: ${name} -->`;
  const end = `<!-- end: ${name} -->`;
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  const isNew = from === -1 && to === -1;
  if (!isNew && (from === -1 || to < from)) throw new Error(`the marks of ${name} are no pair`);
  const [before, after] = isNew
    ? [`${document}\n\n`, "\n"]
    : [document.slice(0, from), document.slice(to + end.length)];
  const { code, errors } = await format(file, `${before}${begin}\n\n${body}\n\n${end}${after}`);
  const [error] = errors;
  if (error) throw new Error(`${file}: ${error.message}`);
  return code;
}
