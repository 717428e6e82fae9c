/** What the begin of a tick tells by itself: silences that are over; and the maintenance that it remembers. */
import { describe, expect, test } from "vitest";
import { EMPTY_STATE, type LedgerState, type PlannedWindow } from "../../src/ledger/state/state.ts";
import { config, gateway } from "../fixtures/config.ts";
import { begin as beginIn, MINUTE } from "./ticks.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const world = { config: config([gateway("a")]) };
const begin = (state: LedgerState, tickMs: number) => beginIn(state, tickMs, world);

test("a silence that nobody noticed while it lasted is told by the tick that ends it, in one event", () => {
  const first = begin(EMPTY_STATE, MINUTE).state;
  const second = begin(first, 61 * MINUTE);
  expect(second.happenings).toEqual([{ type: "monitoring.resumed", atMs: 61 * MINUTE, lastTickMs: MINUTE }]);
  expect(second.changed).toBe(true);
  expect(begin(second.state, 62 * MINUTE).happenings).toEqual([]);
});

describe("maintenance that was planned", () => {
  const NOW = 100 * DAY;
  const endedAt = (toMs: number, id = "m1") => ({ id, gateways: [], fromMs: 0, toMs, title: "A move" });
  const after = (planned: readonly PlannedWindow[], lastMs = NOW - MINUTE): readonly PlannedWindow[] => {
    const journal = {
      ...EMPTY_STATE.journal,
      planned: [...planned],
      clock: { lastMs, steadyMs: 0, beforeMs: 0 },
    };
    return begin({ ...EMPTY_STATE, journal }, NOW).state.journal.planned;
  };
  const long = endedAt(NOW - 30 * DAY);

  test("is known for 30 days after its end", () => {
    const known = [endedAt(NOW - 30 * DAY + 1), endedAt(NOW - 1), endedAt(NOW), endedAt(NOW + 1)];
    expect(after([long, ...known])).toEqual(known);
  });

  test("does not go on the word of a clock that has just jumped", () => {
    expect(after([long], NOW - 90 * MINUTE)).toEqual([long]);
  });

  test("does not go sooner after a long jump where a pause follows it", () => {
    const ticks = [NOW - 10 * DAY, NOW - 4 * HOUR, NOW - 2 * HOUR, NOW - HOUR, NOW];
    let state: LedgerState = { ...EMPTY_STATE, journal: { ...EMPTY_STATE.journal, planned: [long] } };
    for (const tickMs of ticks) ({ state } = begin(state, tickMs));
    expect(state.journal.planned).toEqual([long]);
    expect(state.journal.clock.beforeMs).toBe(NOW - 10 * DAY);
  });
});
