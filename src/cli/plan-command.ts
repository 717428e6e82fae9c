/** `gatepulse plan`: what a configuration uses on a day, whether the free plan allows it, and what the paid one costs. */
import { resolve } from "node:path";
import { parseConfig } from "../config/load.ts";
import { dayOf } from "../plan/day.ts";
import { QUIET_DAY } from "../plan/ledger-day.ts";
import { freeVerdict, monthlyPrice } from "../plan/verdict.ts";
import { type Arguments, readArguments } from "./arguments.ts";
import { faultsText } from "./check-command.ts";
import { DEFAULT_FILE, loadConfigFile } from "./config-file.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { planJson, planText } from "./plan-output.ts";
import { harmless, painterFor } from "./terminal.ts";
import { PLAN_USAGE } from "./usage.ts";

const OPTIONS = {
  views: { type: "string" },
  incidents: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

export async function plan(args: readonly string[], io: Io): Promise<ExitCode> {
  const wanted = readArguments(args, OPTIONS);
  if (!wanted.ok) return refuse(wanted.problem, io);
  if (wanted.flags["help"] === true) {
    io.stdout.write(PLAN_USAGE);
    return EXIT.ok;
  }
  const [file = DEFAULT_FILE, ...more] = wanted.positionals;
  if (more.length > 0) return refuse("give at most one file", io);
  const views = countOf(wanted, "views");
  const incidents = countOf(wanted, "incidents");
  if (views === null || incidents === null) return refuse("--views and --incidents take a whole number", io);
  const name = harmless(file);
  const loaded = await loadConfigFile(resolve(io.cwd, file), io.env);
  if (!loaded.ok) return refuse(`${name} ${loaded.problem}`, io);
  const parsed = parseConfig(loaded.value);
  const paint = painterFor(io.stdout.isTTY, io.env);
  const isJson = wanted.flags["json"] === true;
  if (!parsed.ok) {
    const { faults } = parsed;
    io.stdout.write(isJson ? jsonText({ faults }) : faultsText(name, faults, paint));
    return EXIT.usage;
  }
  const { config } = parsed;
  const day = dayOf(config, { ...QUIET_DAY, views, incidents });
  const planned = { config, day, free: freeVerdict(day), price: monthlyPrice(day), views, incidents };
  io.stdout.write(isJson ? jsonText(planJson(planned)) : planText(name, planned, paint));
  return EXIT.ok;
}

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Null: it is no count. */
function countOf({ texts }: Extract<Arguments, { ok: true }>, name: string): number | null {
  const text = texts[name] ?? "0";
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function refuse(problem: string, io: Io): ExitCode {
  io.stderr.write(`gatepulse plan: ${problem}\nSee gatepulse plan --help.\n`);
  return EXIT.usage;
}
