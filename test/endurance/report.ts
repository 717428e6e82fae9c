/** The results of the parts of endurance, as rows. Pure. */
import { median } from "../bench/measure.ts";
import { type Row, row } from "../bench/row.ts";
import type { Checks } from "./checks.ts";
import type { Kills } from "./kills.ts";
import type { Year } from "./year.ts";

const counted = (what: string, count: number): Row => row("", what, count);

export function yearRows(year: Year, { compared }: Checks, days: number): readonly Row[] {
  const { count, paceMs, options } = year;
  const quarter = Math.max(1, Math.floor(paceMs.length / 4));
  return [
    counted("seed", options.seed),
    counted("days in virtual time", days),
    counted("monitors", options.monitors),
    row("min", "from tick to tick", options.tickMs / 60_000),
    counted("ticks", count.ticks),
    counted("times that the Ledger's object died", count.evictions),
    counted("samples compared with a plain log, none differed", compared.samples),
    counted("incidents compared", compared.incidents),
    counted("events compared as receivers took them", compared.events),
    row(
      "ms",
      "a tick of the last quarter; floor: one of the second quarter",
      median(paceMs.slice(-quarter)),
      {
        floor: median(paceMs.slice(quarter, 2 * quarter)),
      },
    ),
  ];
}

export function killsRows(seed: number, kills: Kills): readonly Row[] {
  const { tree, runtime, node, samples, incidents, alerts } = kills;
  return [
    counted("seed", seed),
    counted("kills with SIGKILL under load; after each restart all was there, once", tree + runtime + node),
    counted("of all processes", tree),
    counted("of the runtime alone", runtime),
    counted("of the runner's own process alone", node),
    counted("samples stored in the end", samples),
    counted("incidents, exactly those that follow from the samples", incidents),
    counted("events, each received under one id", alerts),
  ];
}
