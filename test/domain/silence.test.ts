import { expect, test } from "vitest";
import {
  missTicks,
  NO_TICK_YET,
  stallsAtMs,
  tickCame,
  type TickWatch,
  addLost,
  keptLost,
} from "../../src/domain/monitoring.ts";
import { MINUTE } from "./alarm-play.ts";
import type { ShardTick } from "../../src/domain/tick.ts";

/** `T`: a tick comes; `.`: someone looks; `_`: nobody does; one letter a minute from minute 1 on. */
function heard(letters: string): string[] {
  let watch: TickWatch = NO_TICK_YET;
  return [...letters.split("").entries()].flatMap(([index, letter]) => {
    const nowMs = (index + 1) * MINUTE;
    if (letter === "_") return [];
    const watched = (letter === "T" ? tickCame : missTicks)(watch, nowMs, MINUTE);
    watch = JSON.parse(JSON.stringify(watched.watch)) as TickWatch;
    return watched.happenings.map(({ type, atMs, lastTickMs }) => {
      return `${atMs / MINUTE} ${type} ${(lastTickMs ?? 0) / MINUTE}`;
    });
  });
}

test.each<[title: string, letters: string, ...events: string[]]>([
  ["no tick ever came: nothing has stopped", "....."],
  ["two intervals are no silence", "T.T.T"],
  ["three are, and it is told once", "T......", "4 monitoring.stalled 1"],
  ["the next tick ends it", "TT....T", "5 monitoring.stalled 2", "7 monitoring.resumed 2"],
  ["one that nobody noticed is told with its end", "T__T", "4 monitoring.resumed 1"],
  ["who was away gives ticks an interval: only its end is told", "T_______.T.", "10 monitoring.resumed 1"],
  ["if none comes, the silence is told, once", "T_______.....", "10 monitoring.stalled 1"],
])("%s", (_, letters, ...events) => {
  expect(heard(letters)).toEqual(events);
});

test("who looks more than a quarter of an interval late was away, and looks again an interval later", () => {
  const watch = { ...NO_TICK_YET, lastTickMs: MINUTE };
  expect(missTicks(watch, 4 * MINUTE + 15_000, MINUTE).happenings).toHaveLength(1);
  const late = missTicks(watch, 4 * MINUTE + 15_001, MINUTE);
  expect(late).toEqual({ watch: { ...watch, graceToMs: 5 * MINUTE + 15_001 }, happenings: [] });
  expect(stallsAtMs(late.watch, MINUTE)).toBe(5 * MINUTE + 15_001);
  expect(missTicks(late.watch, 5 * MINUTE + 15_000, MINUTE)).toEqual({ watch: late.watch, happenings: [] });
  expect(missTicks(late.watch, 5 * MINUTE + 15_001, MINUTE).happenings).toHaveLength(1);
});

test("of a silence over which the clock was set back nobody says how long it was", () => {
  const ahead = { ...NO_TICK_YET, lastTickMs: 1000 * MINUTE, isStalled: true };
  expect(tickCame(ahead, 10 * MINUTE, MINUTE)).toEqual({
    watch: { ...NO_TICK_YET, lastTickMs: 10 * MINUTE },
    happenings: [{ type: "monitoring.resumed", atMs: 10 * MINUTE, lastTickMs: null }],
  });
});

const DAY = 1440 * MINUTE;
const NOON = Date.parse("2026-11-20T12:00:00Z");

const lost = (shard: number, minute: number): ShardTick => ({ shard, tickMs: NOON + minute * MINUTE });

test("the newest lost tick comes first, and one that is told twice is listed once", () => {
  const told = [lost(2, 1), lost(1, 1), lost(2, 3), lost(2, 1), lost(1, 2)];
  const listed = told.reduce<readonly ShardTick[]>((list, tick) => addLost(list, tick, NOON), []);
  expect(listed).toEqual([lost(2, 3), lost(1, 2), lost(1, 1), lost(2, 1)]);
  expect(addLost(listed, lost(1, 2), NOON)).toBe(listed);
});

test("lost ticks are forgotten after a day", () => {
  const listed = [lost(1, 1), lost(1, 0)];
  expect(keptLost(listed, NOON + DAY - 1)).toEqual(listed);
  expect(keptLost(listed, NOON + DAY)).toEqual([lost(1, 1)]);
  expect(addLost(listed, lost(2, 1440), NOON + DAY)).toEqual([lost(2, 1440), lost(1, 1)]);
});
