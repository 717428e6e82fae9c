/**
 * docs/performance.json has every row of `npm run bench` and `npm run endurance`, each part with its place and time; a run of
 * some parts leaves the others as they are. The table of docs/performance.md is made from it: the rows in `SHOWN`.
 */
import { readFile, writeFile } from "node:fs/promises";
import { cpus, release, totalmem, type } from "node:os";
import { fileURLToPath } from "node:url";
import { format } from "oxfmt";
import { cellsOf, type Row, type Section } from "./row.ts";

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

/** The part, how the name of its row begins, and what readers see instead of that name. */
const SHOWN: readonly (readonly [part: string, begins: string, label: string])[] = [
  ["routes", "GET /, 100 monitors, one in ten in trouble: gzipped", "Status page, 100 monitors, gzipped"],
  [
    "routes",
    "GET /, 100 monitors, one in ten in trouble; floor",
    "Requests for it; floor: the same bytes from KV",
  ],
  ["routes", "GET /, 100 monitors, one in ten in trouble, CPU of workerd a request", "CPU per request"],
  ["routes", "GET /, 100 monitors, CPU in a warm isolate", "CPU to render the page again"],
  ["routes", "GET /, 100 monitors, LCP in chromium", "Largest contentful paint, empty cache"],
  ["routes", "GET /api/v1/status; floor", "Requests for `/api/v1/status`; floor: the same bytes from KV"],
  [
    "worker",
    "from the start of workerd to the first status",
    "Start of workerd until the first status; floor: a bare Worker",
  ],
  [
    "worker",
    "CPU of a new isolate's first page",
    "CPU of a new isolate's first page; floor: 15 ms, at this machine's pace",
  ],
  [
    "memory",
    "memory of the isolate, 100 monitors, after 5 ticks and",
    "Memory of the isolate, 100 monitors; floor: a bare Worker",
  ],
  ["memory", "memory of the isolate, 2000 monitors, after 5 ticks and", "The same, 2,000 monitors"],
  ["probe", "CPU of a probe", "CPU per probe; floor: `fetch` and `JSON.parse`"],
  ["ticks", "a tick of 200 monitors, answers after 0 ms", "Tick, 200 monitors that answer at once"],
  [
    "ticks",
    "a tick of 50 monitors, answers after 200 ms",
    "Tick, 50 monitors that take 200 ms; floor: waiting alone",
  ],
  ["ticks", "when the last of 50 monitors", "The same, after 10 others hung; floor: none hung"],
  [
    "ticks",
    "a tick of 1000 monitors, answers after 100 ms",
    "Tick, 1,000 monitors that take 100 ms; floor: waiting alone",
  ],
  [
    "ticks",
    "a tick of 10000 monitors, answers after 100 ms",
    "Tick, 10,000 monitors that take 100 ms; floor: waiting alone",
  ],
  [
    "invocations",
    "CPU of a tick of the Worker that asks 20 gateways, less",
    "CPU of a tick, 20 gateways; floor: 10 ms, at this machine's pace",
  ],
  [
    "ledger",
    "KV writes, a day of 100 monitors every 5 minutes, three in ten in trouble, 3 channels",
    "KV writes a day, 100 monitors, three in ten failing",
  ],
  [
    "ledger",
    "rows, a day of 100 monitors every 5 minutes, three in ten in trouble, 3 channels",
    "Rows written on that day",
  ],
  ["growth", "the Ledger's database", "Ledger database, 20 monitors, after 730 days; floor: after 90"],
  ["bytes", "a sample in a segment, probed every 5 min, an hour of trouble", "Stored per probe"],
  ["redaction", "an error body without secrets", "Redaction of an error body; floor: `JSON.parse`"],
  ["endurance year", "samples compared", "Samples in a simulated year of faults, none wrong"],
  ["endurance kills", "kills", "Kills with SIGKILL under load, nothing lost"],
];

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
  const lines = SHOWN.map(([part, begins, label]) => {
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
