/** `gatepulse check`: validates a configuration and prints every fault; a secret in the file is never printed. */
import { readFile, stat } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Config } from "../config/config.ts";
import type { Fault } from "../config/faults.ts";
import { parseConfig } from "../config/load.ts";
import { PLAN_LIMITS, probeNeed } from "../config/plan-limits.ts";
import { readArguments } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { harmless, type Paint, painterFor, table } from "./terminal.ts";
import { CHECK_USAGE } from "./usage.ts";

const DEFAULT_FILE = "gatepulse.config.ts";

export async function check(args: readonly string[], io: Io): Promise<ExitCode> {
  const wanted = readArguments(args, { help: { type: "boolean", short: "h" } });
  if (!wanted.ok) return refuse(wanted.problem, io);
  if (wanted.flags["help"] === true) {
    io.stdout.write(CHECK_USAGE);
    return EXIT.ok;
  }
  const [file = DEFAULT_FILE, ...more] = wanted.positionals;
  if (more.length > 0) return refuse("give at most one file", io);
  const name = harmless(file);
  const loaded = await loadFile(resolve(io.cwd, file));
  if (!loaded.ok) return refuse(`${name} ${loaded.problem}`, io);
  const parsed = parseConfig(loaded.value);
  if (!parsed.ok) {
    io.stdout.write(faultsText(name, parsed.faults, painterFor(io.stdout.isTTY, io.env)));
    return EXIT.usage;
  }
  io.stdout.write(summaryText(name, parsed.config, painterFor(io.stdout.isTTY, io.env)));
  return EXIT.ok;
}

type Loaded =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

/** Nothing of the file's text is in a problem: what does not parse may be a secret without its quotes. */
async function loadFile(path: string): Promise<Loaded> {
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile()) return { ok: false, problem: "is no file that can be read" };
  return extname(path) === ".json" ? loadJson(path) : loadModule(path);
}

async function loadJson(path: string): Promise<Loaded> {
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return { ok: false, problem: "cannot be read" };
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    return { ok: true, value };
  } catch (error) {
    const place = /line \d+ column \d+/.exec(error instanceof Error ? error.message : "")?.[0];
    return { ok: false, problem: `is not valid JSON${place === undefined ? "" : ` (${place})`}` };
  }
}

async function loadModule(path: string): Promise<Loaded> {
  const { href } = pathToFileURL(path);
  try {
    const module: unknown = await import(href);
    const value: unknown = Reflect.get(Object(module), "default");
    return value === undefined
      ? { ok: false, problem: "has no default export: write export default defineConfig({ … })" }
      : { ok: true, value };
  } catch (error) {
    return { ok: false, problem: `cannot be loaded (${importProblem(error, href)})` };
  }
}

function importProblem(error: unknown, href: string): string {
  if (!(error instanceof Error)) return "it throws";
  if (Reflect.get(error, "code") === "ERR_MODULE_NOT_FOUND")
    return "something that it imports does not exist";
  const stack = error.stack ?? "";
  const at = stack.indexOf(`${href}:`);
  const line = at === -1 ? undefined : /^:(\d+)/.exec(stack.slice(at + href.length))?.[1];
  return `${error.name}${line === undefined ? "" : ` at line ${line}`}`;
}

function faultsText(file: string, faults: readonly Fault[], paint: Paint): string {
  const count = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
  const lines = faults.map(
    ({ path, problem, mend }) => `${paint(path, "bold")} ${problem}\n  ${paint("mend:", "dim")} ${mend}\n`,
  );
  return `${paint(`${file} has ${count}`, "red")}\n\n${lines.join("")}`;
}

function summaryText(file: string, config: Config, paint: Paint): string {
  const need = probeNeed(config);
  const { subrequests } = PLAN_LIMITS[config.plan];
  const secrets = [...new Set(config.gateways.map((gateway) => gateway.apiKey))];
  const rows: (readonly [string, string])[] = [
    ["gateways", listed(config.gateways.map((gateway) => gateway.id))],
    ["monitors", String(need.monitors)],
    ["secrets", listed(secrets)],
    [
      "probes a tick",
      `${rounded(need.averagePerTick)} on average, at most ${config.maxProbesPerTick} (plan ${config.plan})`,
    ],
    [
      "requests a tick",
      `at most ${need.worstSubrequests} if every probe is repeated; the plan allows ${subrequests}`,
    ],
  ];
  return `${paint(`${file} is valid`, "green")}\n\n${table(rows, paint)}${warnings(config)}`;
}

function warnings(config: Config): string {
  const need = probeNeed(config);
  if (!need.overloaded) return "";
  return `\nMore probes fall due than a tick takes: each monitor is late, the most overdue ones come first.
mend: raise every, or maxProbesPerTick${config.plan === "free" ? ', or use plan: "paid"' : ""}\n`;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "none" : `${names.length} (${names.map(harmless).join(", ")})`;
}

function rounded(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function refuse(problem: string, io: Io): ExitCode {
  io.stderr.write(`gatepulse check: ${problem}\nSee gatepulse check --help.\n`);
  return EXIT.usage;
}
