/** What the parts of endurance came to, in Markdown. Pure. */
import { median } from "../bench/measure.ts";
import type { Checks } from "./checks.ts";
import type { Kills } from "./kills.ts";
import type { Loaded } from "./loaded-monitor.ts";
import type { TickFigures } from "./loaded-ticks.ts";
import type { Year } from "./year.ts";

export interface Report {
  readonly title: string;
  readonly lines: readonly string[];
}

export function yearReport(year: Year, { compared, most }: Checks, days: number): Report {
  const { count, paceMs, options } = year;
  const { monitors, tickMs, seed } = options;
  const quarter = Math.max(1, Math.floor(paceMs.length / 4));
  const [early, late] = [median(paceMs.slice(quarter, 2 * quarter)), median(paceMs.slice(-quarter))];
  const rows = Object.entries(most).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const lines = [
    `${days} days in virtual time over the real Ledger, tick and readers: ${monitors} monitors, a tick every ` +
      `${tickMs / 60_000} minutes, seed ${seed}.`,
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

export function killsReport(
  seed: number,
  { tree, runtime, node, samples, incidents, alerts }: Kills,
): Report {
  const lines = [
    `The local runner killed with SIGKILL ${tree + runtime + node} times at random moments under load, seed ${seed}: ` +
      `${tree} times with all its processes, ${runtime} times its runtime alone, ${node} times its own process alone.`,
    "",
    `- **After each restart** every sample and incident that was stored before was there, none twice; the page showed no ` +
      "gateway otherwise than it was, and came to show each.",
    `- **In the end** ${samples} samples were stored; ${incidents} incidents were exactly those that follow from the ` +
      `samples, and each beginning and end arrived under one id (${alerts} events).`,
  ];
  return { title: "Kills", lines };
}

export function loadReport(seed: number, { statuses, asks, tookMs, ticks }: Loaded): Report {
  const requests = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const told = Object.entries(statuses).map(([status, count]) => `${count} of ${status}`);
  const lines = [
    `${requests} requests, 16 at a time, to the local runner with 60 monitors and a tick every 5 seconds, from another ` +
      `process: every route of the application, plain, with HEAD, gzip and an ETag, ` +
      `${asks} kinds in all, seed ${seed}. ${Math.round((1000 * requests) / tookMs)} a second.`,
    "",
    `- **Answers**: ${told.join(", ")}. Each status was an expected one, and each body whole.`,
    "- **Ticks**: each monitor has exactly one sample of each tick in which it was due, and every one of them was answered " +
      "before the next tick began. Nothing else counts as on time.",
    "",
    "| ms after the tick's time | ticks | samples | probe began: p50 | p99 | most | last answer: p50 | p99 | most |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    tickRow("without load", ticks.quiet),
    tickRow("under load", ticks.loaded),
  ];
  return { title: "Load", lines };
}

function tickRow(name: string, { ticks, samples, lateMs, tookMs }: TickFigures): string {
  const figures = [lateMs, tookMs].flatMap((values) => {
    const sorted = values.toSorted((a, b) => a - b);
    return [0.5, 0.99, 1].map((share) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
  });
  return `| ${[name, ticks, samples, ...figures].join(" | ")} |`;
}
