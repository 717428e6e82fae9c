/** Transition tables: letters of probes, one a minute (see alarm-play.ts), and what is told of them. */
import { expect, test } from "vitest";
import { play, type PlayedMonitor } from "./alarm-play.ts";

/** Every letter that differs is a change, and the third within an hour is one too many. */
export const NERVOUS = { open: 1, close: 1, flapping: 2 };

/** The letters of monitors `m | n | o`, or by name with a window. */
type Lanes = string | Readonly<Record<string, string>>;
/** The events are in their order, as `told` writes them, with "; " between them. */
type Row = readonly [title: string, lanes: Lanes, ...events: readonly string[]];

export function table(name: string, over: Partial<PlayedMonitor>, rows: readonly Row[]): void {
  const cases = rows.map(([title, lanes, ...events]) => [title, lanes, events] as const);
  test.each(cases)(`${name}: %s`, (_, lanes, events) => {
    const letters = typeof lanes === "string" ? lanes.split(" | ") : [];
    const named = Object.fromEntries(letters.map((letter, index) => ["mno"[index], letter]));
    expect(play(typeof lanes === "string" ? named : lanes, over).events).toEqual(
      events.flatMap((some) => some.split("; ")),
    );
  });
}
