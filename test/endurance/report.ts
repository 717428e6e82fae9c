/** What the parts of endurance came to, in Markdown. Pure. */
import { median } from "../bench/measure.ts";
import type { Most } from "./bounds.ts";
import type { Compared } from "./checks.ts";
import type { KillsFound } from "./kills.ts";
import type { Loaded } from "./loaded-monitor.ts";
import type { TickFigures } from "./loaded-ticks.ts";
import type { Year } from "./year.ts";

export interface Report {
  readonly title: string;
  readonly lines: readonly string[];
}

interface Lived {
  readonly year: Year;
  readonly compared: Compared;
  readonly most: Most;
  readonly days: number;
}

export function yearReport({ year, compared, most, days }: Lived): Report {
  const { options, count, paceMs } = year;
  const quarter = Math.max(1, Math.floor(paceMs.length / 4));
  const [early, late] = [median(paceMs.slice(quarter, 2 * quarter)), median(paceMs.slice(-quarter))];
  const rows = Object.entries(most).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const lines = [
    `${days} days in virtual time over the real Ledger, tick and readers: ${options.monitors} monitors, a tick every ` +
      `${options.tickMs / 60_000} minutes, seed ${options.seed}.`,
    "",
    `- **What happened**: ${count.ticks} ticks; ${count.twice} came twice, ${count.late} late, ${count.missing} not at all; ` +
      `the Ledger's object died ${count.evictions} times, ${count.deadInvocations} invocations with their probes; ` +
      `${count.deploys} configurations were deployed, ${count.clockSteps} times the clock was set, ${count.pauses} times a ` +
      "monitor was paused or resumed; KV refused writes on one day in ten from some hour on, and by chance on others.",
    `- **What was compared with a plain log**, each read back by the readers of the API: ${compared.samples} samples, ` +
      `${compared.hours} hours, ${compared.days} days (all days again at every comparison), ${compared.incidents} incidents, ` +
      `${compared.events} events as receivers took them. No difference.`,
    `- **Pace**: a tick of the last quarter takes ${(late / early).toFixed(2)} times as long as one of the second quarter.`,
    "",
    "| stored at most | rows or keys | bytes |",
    "| --- | ---: | ---: |",
    ...rows.map(([name, of]) => `| ${name === "kv" ? "KV" : `\`${name}\``} | ${of.rows} | ${of.bytes} |`),
  ];
  return { title: "A year", lines };
}

interface Killed {
  readonly seed: number;
  readonly pieces: readonly KillsFound[];
}

export function killsReport({ seed, pieces }: Killed): Report {
  const of = (kind: keyof KillsFound["kills"]): number => sum(pieces.map(({ kills }) => kills[kind]));
  const [tree, runtime, node] = [of("tree"), of("runtime"), of("node")];
  const lines = [
    `The local runner killed with SIGKILL ${tree + runtime + node} times at random moments under load, seed ${seed}: ` +
      `${tree} times with all its processes, ${runtime} times its runtime alone, ${node} times its own process alone.`,
    "",
    `- **After each restart** every sample and incident that was stored before was there, none twice; the page showed no ` +
      "gateway otherwise than it was, and came to show each.",
    `- **In the end** ${sum(pieces.map(({ samples }) => samples))} samples were stored; ` +
      `${sum(pieces.map(({ incidents }) => incidents))} incidents were exactly those that follow from the samples, and each ` +
      `beginning and end arrived under one id (${sum(pieces.map(({ alerts }) => alerts))} events).`,
  ];
  return { title: "Kills", lines };
}

interface Loads {
  readonly seed: number;
  readonly pieces: readonly Loaded[];
}

export function loadReport({ seed, pieces }: Loads): Report {
  const statuses = new Map<string, number>();
  for (const { found } of pieces) {
    for (const [status, count] of Object.entries(found.statuses)) {
      statuses.set(status, (statuses.get(status) ?? 0) + count);
    }
  }
  const requests = sum([...statuses.values()]);
  const seconds = sum(pieces.map(({ tookMs }) => tookMs)) / 1000;
  const quiet = pieces.map(({ ticks }) => ticks.quiet);
  const loaded = pieces.map(({ ticks }) => ticks.loaded);
  const told = [...statuses].map(([status, count]) => `${count} of ${status}`).join(", ");
  const lines = [
    `${requests} requests, 16 at a time, to the local runner with 60 monitors and a tick every 5 seconds, from another ` +
      `process: every route of the application, with HEAD, gzip, Chinese, conditional and bad requests, ` +
      `${pieces.at(-1)?.found.asks ?? 0} kinds in all, seed ${seed}. ${Math.round(requests / seconds)} a second.`,
    "",
    `- **Answers**: ${told}. Each status was an expected one, and each body whole.`,
    "- **Ticks**: each monitor has exactly one sample of each tick in which it was due, and every one of them was answered " +
      "before the next tick began. Nothing else counts as on time.",
    "",
    "| ms after the tick's time | ticks | samples | probe began: p50 | p99 | most | last answer: p50 | p99 | most |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    tickRow("without load", quiet),
    tickRow("under load", loaded),
  ];
  return { title: "Load", lines };
}

function tickRow(name: string, of: readonly TickFigures[]): string {
  const late = of.flatMap(({ lateMs }) => lateMs);
  const took = of.flatMap(({ tookMs }) => tookMs);
  const figures = [late, took].flatMap((values) => [0.5, 0.99, 1].map((share) => rank(values, share)));
  const counts = [sum(of.map(({ ticks }) => ticks)), sum(of.map(({ samples }) => samples))];
  return `| ${[name, ...counts, ...figures].join(" | ")} |`;
}

function rank(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
