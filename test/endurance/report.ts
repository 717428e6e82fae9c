/** What a year of endurance came to, in Markdown. Pure. */
import type { Most } from "./bounds.ts";
import type { Compared } from "./checks.ts";
import type { Year } from "./year.ts";

interface Lived {
  readonly year: Year;
  readonly compared: Compared;
  readonly most: Most;
  readonly days: number;
}

export function yearReport({ year, compared, most, days }: Lived): string {
  const { options, count, paceMs } = year;
  const quarter = Math.max(1, Math.floor(paceMs.length / 4));
  const [early, late] = [median(paceMs.slice(quarter, 2 * quarter)), median(paceMs.slice(-quarter))];
  const rows = Object.entries(most).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    "## Endurance",
    "",
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
  ].join("\n");
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
