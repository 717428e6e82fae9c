import { expect, test } from "vitest";
import { troubleBetween } from "../../src/alert/delivery-trouble.ts";
import {
  afterFailure,
  afterGiveUp,
  afterGone,
  afterRefusal,
  type DeliveryState,
  UNTRIED,
  working,
} from "../../src/alert/delivery.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOON = Date.parse("2026-11-20T12:00:00Z");

const fail = (state: DeliveryState, nowMs: number): DeliveryState =>
  afterFailure(
    state,
    { afterMs: null, problem: "HTTP 500" },
    { queuedMs: NOON, nowMs, random: 0, longestWaitMs: null },
  );

/** What is told while a state becomes the next one. */
function toldOf(states: readonly DeliveryState[]): unknown[] {
  return states.slice(1).map((after, index) => troubleBetween(states[index] ?? UNTRIED, after)?.type ?? null);
}

test("a channel that fails is told of once, when it has failed for an hour, whatever was given up since", () => {
  const states = [UNTRIED];
  for (const atMs of [0, 5 * MINUTE, HOUR - 1, HOUR, 2 * HOUR, 9 * HOUR]) {
    states.push(fail(states.at(-1) ?? UNTRIED, NOON + atMs));
  }
  expect(toldOf(states)).toEqual([null, null, null, "failing", null, null]);
  const given = afterGiveUp(states.at(-1) ?? UNTRIED);
  expect(toldOf([given, fail(given, NOON + 30 * HOUR), fail(given, NOON + 40 * HOUR)])).toEqual([null, null]);
});

test("one that is gone is told of with its reason, once", () => {
  const gone = afterGone(UNTRIED, "HTTP 410: gone away", NOON);
  expect(troubleBetween(UNTRIED, gone)).toEqual({ type: "disabled", problem: "HTTP 410: gone away" });
  expect(toldOf([gone, gone])).toEqual([null]);
});

test("of what is given up or refused the first is told of, until the receiver takes something", () => {
  const failed = fail(UNTRIED, NOON);
  const refused = afterRefusal(failed, "HTTP 400", NOON);
  expect(troubleBetween(failed, refused)).toEqual({ type: "set_aside", problem: "HTTP 400" });
  expect(toldOf([failed, afterGiveUp(failed), fail(afterGiveUp(failed), NOON)])).toEqual(["set_aside", null]);
  const again = afterRefusal(refused, "HTTP 400", NOON);
  expect(toldOf([refused, again, working(NOON), afterRefusal(working(NOON), "HTTP 400", NOON)])).toEqual([
    null,
    null,
    "set_aside",
  ]);
});
