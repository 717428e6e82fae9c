/** What is given up, and what is not: nothing untried. */
import { describe, expect, test } from "vitest";
import {
  afterFailure,
  afterGiveUp,
  afterRefusal,
  afterUnsent,
  type DeliveryState,
  goesAlong,
  type Head,
  nextStep,
  revived,
  UNTRIED,
  working,
} from "../../src/alert/delivery.ts";

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const NOON = Date.parse("2026-11-20T12:00:00Z");
const failure = { afterMs: null, problem: "HTTP 500" };

function head(queuedMs: number): Head {
  return { queuedMs, hasNews: false };
}

describe("what stands behind others", () => {
  const failAt = (state: DeliveryState, queuedMs: number, nowMs: number): DeliveryState =>
    afterFailure(state, failure, { queuedMs, nowMs, random: 0, longestWaitMs: null });
  /** It failed all day, and is given up. */
  const givenUp = afterGiveUp(failAt(failAt(UNTRIED, NOON, NOON), NOON, NOON + DAY));

  test("stays where what went first was tried all day: that may be at fault itself", () => {
    const last = failAt(failAt(UNTRIED, NOON, NOON), NOON, NOON + DAY);
    expect(nextStep(last, head(NOON), NOON + DAY)).toEqual({ type: "give_up" });
    expect(goesAlong(last, NOON, NOON + DAY)).toBe(false);
    expect(nextStep(givenUp, head(NOON), NOON + DAY)).toMatchObject({ type: "wait" });
  });

  test("is given its try, and goes with the next one that fails at once, as far as its own day is over", () => {
    const second = failAt(givenUp, NOON, NOON + 30 * HOUR);
    expect(nextStep(second, head(NOON), NOON + 30 * HOUR)).toEqual({ type: "give_up" });
    expect(goesAlong(second, NOON + 6 * HOUR, NOON + 30 * HOUR)).toBe(true);
    expect(goesAlong(second, NOON + 6 * HOUR + 1, NOON + 30 * HOUR)).toBe(false);
    // Its day was not over when the receiver failed.
    expect(goesAlong(second, NOON + 6 * HOUR + 1, NOON + 40 * HOUR)).toBe(false);
  });

  test("has another day from when the receiver last took or refused one, and when somebody mended it", () => {
    for (const alive of [
      working(NOON + 30 * HOUR),
      afterRefusal(givenUp, "HTTP 400", NOON + 30 * HOUR),
      revived(givenUp, NOON + 30 * HOUR),
    ]) {
      const tried = failAt(alive, NOON, NOON + 30 * HOUR);
      expect(nextStep(tried, head(NOON), NOON + 31 * HOUR)).toEqual({ type: "send" });
      expect(goesAlong(tried, NOON, NOON + 31 * HOUR)).toBe(false);
      const last = failAt(tried, NOON, NOON + 54 * HOUR);
      expect(nextStep(last, head(NOON), NOON + 54 * HOUR)).toEqual({ type: "give_up" });
    }
  });

  test("a sign of life of the future, by a clock that came back, gives nobody more time", () => {
    const tried = failAt(working(NOON + 400 * DAY), NOON, NOON);
    expect(nextStep(failAt(tried, NOON, NOON + DAY), head(NOON), NOON + DAY)).toEqual({ type: "give_up" });
  });

  test("a try of the future, by a clock that came back, gives nothing up", () => {
    const ahead = failAt(UNTRIED, NOON, NOON + 400 * DAY);
    expect(nextStep(ahead, head(NOON), NOON)).toEqual({ type: "send" });
    expect(goesAlong(ahead, NOON, NOON + HOUR)).toBe(false);
  });
});

describe("what cannot be sent, as a secret is not set", () => {
  const when = { queuedMs: NOON, random: 0, longestWaitMs: null };
  const unsent = (state: DeliveryState, nowMs: number): DeliveryState =>
    afterUnsent(state, "the secret URL is not set", { ...when, nowMs });

  test("waits as after a failure, was not tried, and is given up after a day", () => {
    const first = unsent(UNTRIED, NOON);
    expect(first).toMatchObject({ tries: 0, failures: 1, problem: "the secret URL is not set" });
    expect(nextStep(first, head(NOON), NOON)).toEqual({ type: "wait", untilMs: NOON + 5 * SECOND });
    const late = unsent(first, NOON + DAY - 1);
    expect(nextStep(late, head(NOON), NOON + DAY - 1)).toMatchObject({ type: "wait" });
    expect(goesAlong(late, NOON, NOON + DAY - 1)).toBe(false);
    expect(nextStep(late, head(NOON), NOON + DAY)).toEqual({ type: "give_up" });
    expect(goesAlong(late, NOON, NOON + DAY)).toBe(true);
  });

  test("is tried as soon as it can be, however old it is by then", () => {
    const tried = afterFailure(unsent(UNTRIED, NOON), failure, { ...when, nowMs: NOON + DAY - 1 });
    expect(tried).toMatchObject({ tries: 1, isUnsent: false });
  });
});
