/** docs/performance.json has every row, each part with its place and time; docs/performance.md those of shown.json. */
import { readFile, writeFile } from "node:fs/promises";
import { cpus, release, totalmem, type } from "node:os";
import { fileURLToPath } from "node:url";
import { format } from "oxfmt";
import { cellsOf, type Row, type Section } from "./row.ts";
import shown from "./shown.json" with { type: "json" };

export interface Part extends Section {
  readonly command: string;
  /** Such as `2026-11-22 18:02 UTC`. */
  readonly measuredAt: string;
  /** Such as `AMD EPYC (2 cores, 24 GB), Linux 6.1.0`. */
  readonly machine: string;
  readonly versions: readonly string[];
}

type Parts = Readonly<Record<string, Part>>;

const TABLE = fileURLToPath(new URL("../../docs/performance.md", import.meta.url));
const DATA = fileURLToPath(new URL("../../docs/performance.json", import.meta.url));

/** Writes the part into both documents. @throws if the table shows a row that the part no longer has. */
export async function writePart(name: string, part: Part): Promise<void> {
  const parts: Parts = { ...JSON.parse(await readFile(DATA, "utf8")), [name]: part };
  await writeFile(DATA, await jsonOf(parts));
  await writeFile(TABLE, await withTable(await readFile(TABLE, "utf8"), parts));
}

/** What `section` found, here and now. */
export async function measuredNow(command: string, section: Section): Promise<Part> {
  const measuredAt = `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return { ...section, command, measuredAt, machine: machine(), versions: await versions() };
}

/** The document with the table of these parts. */
export async function withTable(document: string, parts: Parts): Promise<string> {
  return withMarkedPart(TABLE, document, "all parts", `${tableOf(parts)}\n\n${originOf(parts)}`);
}

function tableOf(parts: Parts): string {
  const lines = shown.map(({ part, begins, label }) => {
    const [, figure, , ratio, limit, verdict] = cellsOf(shownRow(parts, part, begins));
    const cells = [label, figure, ratio, verdict === "FAILS" ? `${limit} FAILS` : limit];
    return `| ${cells.join(" | ")} |`;
  });
  return ["| what | figure | ratio | limit |", "| --- | ---: | ---: | ---: |", ...lines].join("\n");
}

function shownRow(parts: Parts, part: string, begins: string): Row {
  const [found, ...others] = (parts[part]?.rows ?? []).filter(({ what }) => what.startsWith(begins));
  if (found === undefined || others.length > 0)
    throw new Error(`docs/performance.md shows "${begins}", but ${part} has not exactly one such row`);
  return found;
}

function originOf(parts: Parts): string {
  const all = Object.values(parts);
  const days = all.map(({ measuredAt }) => measuredAt.slice(0, 10)).toSorted();
  const [first, last] = [days[0], days.at(-1)];
  const machines = new Set(all.map((part) => part.machine.split("), ")[0]));
  return `Measured ${first === last ? `on ${first}` : `from ${first} to ${last}`}: ${[...machines].join("), ")}).`;
}

/** One row a line where it fits. */
async function jsonOf(parts: Parts): Promise<string> {
  const { code } = await format(DATA, JSON.stringify(parts));
  return code;
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

/** The document of the file with `body` between the marks of `name`, formatted. @throws if one of the marks is missing. */
async function withMarkedPart(file: string, document: string, name: string, body: string): Promise<string> {
  const begin = `<!-- measured: ${name} -->`;
  const end = `<!-- end: ${name} -->`;
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from === -1 || to < from) throw new Error(`${file} lacks the marks of ${name}`);
  const [before, after] = [document.slice(0, from), document.slice(to + end.length)];
  const { code, errors } = await format(file, `${before}${begin}\n\n${body}\n\n${end}${after}`);
  const [error] = errors;
  if (error) throw new Error(`${file}: ${error.message}`);
  return code;
}
