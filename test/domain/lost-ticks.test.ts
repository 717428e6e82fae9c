import { expect, test } from "vitest";
import { addLost, keptLost } from "../../src/domain/silence.ts";
import type { ShardTick } from "../../src/domain/tick.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
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
  expect(keptLost(listed, NOON + DAY - 1)).toBe(listed);
  expect(keptLost(listed, NOON + DAY)).toEqual([lost(1, 1)]);
  expect(addLost(listed, lost(2, 1440), NOON + DAY)).toEqual([lost(2, 1440), lost(1, 1)]);
});

test("of more than a hundred the oldest go", () => {
  const minutes = Array.from({ length: 130 }, (_, minute) => minute);
  const listed = minutes.reduce<readonly ShardTick[]>(
    (list, minute) => addLost(list, lost(3, minute), NOON),
    [],
  );
  expect(listed).toHaveLength(100);
  expect(listed.at(0)).toEqual(lost(3, 129));
  expect(listed.at(-1)).toEqual(lost(3, 30));
});
