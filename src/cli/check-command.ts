/** `gatepulse check`: validates a configuration and prints every fault; a secret is never printed. */
import { dirname, resolve } from "node:path";
import type { Config } from "../config/config.ts";
import type { Fault } from "../config/faults.ts";
import { parseConfig } from "../config/load.ts";
import { PLAN_LIMITS, requestsForProbes } from "../config/plan-limits.ts";
import { secretProblems } from "../config/secret-forms.ts";
import { secretNames } from "../config/secret-names.ts";
import { shardParts } from "../config/shard.ts";
import { dayOf } from "../plan/day.ts";
import { averagePerTick, fullestTick } from "../plan/due.ts";
import { QUIET_DAY } from "../plan/ledger-day.ts";
import { monthlyPrice } from "../plan/verdict.ts";
import { dollars } from "../plan/words.ts";
import { MAX_ATTEMPTS } from "../protocol/retry-delay.ts";
import { readArguments } from "./arguments.ts";
import { DEFAULT_FILE, loadConfigFile } from "./config-file.ts";
import { canariesOf, requestsADay, warningsOf } from "./check-warnings.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { queueFault } from "./queue-check.ts";
import { readSecrets, type SecretValues } from "./secret-values.ts";
import { harmless, type Paint, painterFor, table } from "./terminal.ts";
import { CHECK_USAGE } from "./usage.ts";

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
  const path = resolve(io.cwd, file);
  const loaded = await loadConfigFile(path, io.env);
  if (!loaded.ok) return refuse(`${name} ${loaded.problem}`, io);
  const parsed = parseConfig(loaded.value);
  if (!parsed.ok) {
    io.stdout.write(faultsText(name, parsed.faults, painterFor(io.stdout.isTTY, io.env)));
    return EXIT.usage;
  }
  const queue = await queueFault(parsed.config, [dirname(path), io.cwd]);
  // Run by wrangler, before it builds what would watch nothing.
  if (queue?.isSure === true && io.env["WRANGLER_COMMAND"] !== undefined) {
    io.stdout.write(faultsText(name, [queue], painterFor(io.stdout.isTTY, io.env)));
    return EXIT.usage;
  }
  const here = await readSecrets(parsed.config, dirname(path), io.env);
  io.stdout.write(summaryText(name, parsed.config, here, painterFor(io.stdout.isTTY, io.env)));
  if (queue !== null) io.stdout.write(`\n${queue.path} ${queue.problem}.\nmend: ${queue.mend}\n`);
  return EXIT.ok;
}

export function faultsText(file: string, faults: readonly Fault[], paint: Paint): string {
  const count = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
  const lines = faults.map(
    ({ path, problem, mend }) => `${paint(path, "bold")} ${problem}\n  ${paint("mend:", "dim")} ${mend}\n`,
  );
  return `${paint(`${file} has ${count}`, "red")}\n\n${lines.join("")}`;
}

function summaryText(file: string, config: Config, here: SecretValues, paint: Paint): string {
  const monitors = config.gateways.flatMap((gateway) => gateway.monitors);
  const canaries = canariesOf(config).map(({ id }) => id);
  const bindings = config.alerts.flatMap((channel) => (channel.kind === "email" ? [channel.binding] : []));
  const rows: (readonly [string, string])[] = [
    ["gateways", listed(config.gateways.map((gateway) => gateway.id))],
    ["monitors", String(monitors.length)],
    ...(canaries.length === 0 ? [] : [["canaries", canariesText(canaries, config)] as const]),
    ["alerts", listed(config.alerts.map((channel) => channel.id))],
    ["secrets", listed(secretNames(config))],
    ...(here.missing.length === 0
      ? []
      : [["not set here", `${listed(here.missing)}; npm start needs them`] as const]),
    ...(bindings.length === 0 ? [] : [["bindings", listed([...new Set(bindings)])] as const]),
    ["probes a tick", probesText(config)],
    ["requests a tick", requestsText(config)],
    ...(config.plan === "paid" ? [["paid plan", priceText(config)] as const] : []),
  ];
  return `${paint(`${file} is valid`, "green")}\n\n${table(rows, paint)}${warningsText(config)}${problemsOf(config, here)}`;
}

function canariesText(ids: readonly string[], config: Config): string {
  return `${listed(ids)}; at most ${requestsADay(config)} requests a day that cost money`;
}

/** A tick is that of a shard. */
function probesText(config: Config): string {
  const average = Math.max(...shardParts(config).map(averagePerTick));
  const whose = config.shards === 1 ? "" : " in the shard that has most";
  return `${rounded(average)} on average${whose}, at most ${config.maxProbesPerTick} (plan ${config.plan})`;
}

/** Vantage points ask by themselves: a call of theirs is none of these requests. */
function requestsText(config: Config): string {
  const fullest = shardParts(config).map(fullestTick);
  const most = Math.max(...fullest.map(({ mostRequests }) => mostRequests));
  const calls = Math.max(...fullest.map(({ vantages }) => vantages));
  const asked = `${calls} calls of vantage points`;
  if (most === 0 && calls > 0) return `none of its own, and ${asked}`;
  const { subrequests } = PLAN_LIMITS[config.plan];
  const whose = config.shards === 1 ? "" : " in the shard that has most";
  const each = canariesOf(config).length + calls === 0 ? "each probe" : "each that may be";
  const cut = most > requestsForProbes(config) ? ": repetitions beyond that are left out" : "";
  const beside = calls === 0 ? "" : `; beside them ${asked}`;
  return `${most}${whose} if ${each} is repeated ${MAX_ATTEMPTS - 1} times; the plan allows ${subrequests}${cut}${beside}`;
}

function priceText(config: Config): string {
  const { totalMicros } = monthlyPrice(dayOf(config, QUIET_DAY));
  return `${dollars(totalMicros)} a month for quiet days; gatepulse plan says what for`;
}

function warningsText(config: Config): string {
  return warningsOf(config)
    .map(({ problem, mend }) => `\n${problem}\nmend: ${mend}\n`)
    .join("");
}

/** Of what is set on this machine. */
function problemsOf(config: Config, { secrets }: SecretValues): string {
  const problems = secretProblems(config, (name) => secrets[name] ?? null);
  return problems.map((problem) => `\nOn this machine ${harmless(problem)}.\n`).join("");
}

/** A line is to be read. */
const MOST_LISTED = 20;

function listed(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const more = names.length - MOST_LISTED;
  const shown = names.slice(0, MOST_LISTED).map(harmless).join(", ");
  return `${names.length} (${shown}${more > 0 ? ` and ${more} more` : ""})`;
}

function rounded(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function refuse(problem: string, io: Io): ExitCode {
  io.stderr.write(`gatepulse check: ${problem}\nSee gatepulse check --help.\n`);
  return EXIT.usage;
}
