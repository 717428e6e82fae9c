import { expect, test } from "vitest";
import { stateWithoutFuture, withoutFuture } from "../../src/ledger/begin/clock.ts";
import { EMPTY_STATE } from "../../src/ledger/state/state.ts";
import { NEW_RECORD } from "../../src/ledger/deliver/outbox-tables.ts";
import { config, gateway } from "../fixtures/config.ts";
import { begin, MINUTE } from "./ticks.ts";

const NOW = Date.UTC(2026, 10, 20, 12);

test("planned maintenance stays in the future, and ticks that are to come are forgotten", () => {
  const planned = [{ id: "p", gateways: ["a"], fromMs: NOW + 1, toMs: NOW + 2, title: "" }];
  const ticks = [{ tickMs: NOW + MINUTE, invocation: "i", lane: 0, putOff: 0 }];
  const stored = { ...EMPTY_STATE, journal: { ...EMPTY_STATE.journal, planned, ticks, lastTickMs: NOW + 5 } };
  const { journal } = stateWithoutFuture(stored, NOW);
  expect(journal).toMatchObject({ planned, ticks: [], lastTickMs: NOW });
});

test("numbers of events are no instants, though they are counted by the clock", () => {
  const channel = { ...NEW_RECORD, cursor: 2 * NOW, triedTo: 2 * NOW, ahead: [2 * NOW], resentMs: 2 * NOW };
  expect(withoutFuture(channel, NOW)).toEqual({ ...channel, resentMs: NOW });
});

/** A year ahead, by a clock that is right again. */
const YEAR = 365 * 1440 * MINUTE;
const wrong = { lastMs: YEAR, steadyMs: YEAR, beforeMs: 0 };

test("nobody knows how long a silence was over which the clock was set back", () => {
  const watch = { ...EMPTY_STATE.journal.watch, lastTickMs: YEAR, isStalled: true };
  const stalled = { ...EMPTY_STATE, journal: { ...EMPTY_STATE.journal, clock: wrong, watch } };
  expect(begin(stalled, MINUTE, { config: config([gateway("a")]) }).happenings).toEqual([
    { type: "monitoring.resumed", atMs: MINUTE, lastTickMs: null },
  ]);
});
