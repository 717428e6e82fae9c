/**
 * Transition tables: letters of probes, one a minute (see alarm-play.ts), and what is told of them.
 */
import { expect, test } from "vitest";
import { play, type PlayedMonitor } from "./alarm-play.ts";

/** The letters by the monitor's name; then the events in their order, with "; " between them. */
type Row = readonly [title: string, lanes: Readonly<Record<string, string>>, ...events: readonly string[]];

export function table(name: string, over: Partial<PlayedMonitor>, rows: readonly Row[]): void {
  const cases = rows.map(([title, lanes, ...events]) => ({ title: `${name}: ${title}`, lanes, events }));
  test.each(cases)("$title", ({ lanes, events }) => {
    expect(play(lanes, over).events).toEqual(events.flatMap((event) => event.split("; ")));
  });
}

/** Minutes without a probe. */
export function noProbe(minutes: number): string {
  return ".".repeat(minutes);
}
