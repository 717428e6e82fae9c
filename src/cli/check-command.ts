/** `gatepulse check`: validates a configuration and prints every fault; a secret is never printed. */
import { dirname } from "node:path";
import type { Config } from "../config/config.ts";
import { PLAN_LIMITS, requestsForProbes } from "../config/plan-limits.ts";
import { secretProblems } from "../config/secret-forms.ts";
import { secretNames } from "../config/secret-names.ts";
import { shardParts } from "../config/placement.ts";
import { dayOf } from "../plan/day.ts";
import { mostPerTick } from "../plan/changes.ts";
import { fullestTick } from "../plan/due.ts";
import { QUIET_DAY } from "../plan/ledger-day.ts";
import { monthlyPrice } from "../plan/verdict.ts";
import { dollars } from "../plan/words.ts";
import { MAX_ATTEMPTS } from "../protocol/retry-delay.ts";
import { canariesOf, requestsADay, warningsOf } from "./check-warnings.ts";
import { command } from "./command.ts";
import { EXIT } from "./exit-code.ts";
import { faultsText, readNamedConfig } from "./named-config.ts";
import { queueFault } from "./queue-check.ts";
import { readSecrets, type SecretValues } from "./secret-values.ts";
import { harmless, type Paint, painterFor, table } from "./terminal.ts";
import { CHECK_USAGE } from "./usage.ts";

export const check = command({ name: "check", usage: CHECK_USAGE, options: {} }, async (line) => {
  const { io } = line;
  const paint = painterFor(io.stdout.isTTY, io.env);
  const read = await readNamedConfig(line, (file, faults) => faultsText(file, faults, paint));
  if (!read.ok) return read.exit;
  const { config, name, path } = read;
  const queue = await queueFault(config, [dirname(path), io.cwd]);
  // Run by wrangler, before it builds what would watch nothing.
  if (queue?.isSure === true && io.env["WRANGLER_COMMAND"] !== undefined) {
    io.stdout.write(faultsText(name, [queue], paint));
    return EXIT.usage;
  }
  const here = await readSecrets(config, dirname(path), io.env);
  io.stdout.write(summaryText(name, config, here, paint));
  if (queue !== null) io.stdout.write(`\n${queue.path} ${queue.problem}.\nmend: ${queue.mend}\n`);
  return EXIT.ok;
});

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
  const whose = config.shards === 1 ? "" : " in the shard that has most";
  return `${rounded(mostPerTick(config))} on average${whose}, at most ${config.maxProbesPerTick} (plan ${config.plan})`;
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
