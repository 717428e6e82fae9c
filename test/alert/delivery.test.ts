import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  UNTRIED,
  afterFailure,
  afterGiveUp,
  afterGone,
  afterRefusal,
  afterUnsent,
  goesAlong,
  held,
  nextStep,
  revived,
  troubleBetween,
  waitMs,
  working,
  type DeliveryState,
} from "../../src/alert/delivery.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOON = Date.parse("2026-11-20T12:00:00Z");

const SEND = { type: "send" };
const GIVE_UP = { type: "give_up" };
const until = (sinceNoonMs: number) => ({ type: "wait", untilMs: NOON + sinceNoonMs });

interface Failing {
  readonly afterMs?: number | null;
  readonly queuedMs?: number;
  readonly random?: number;
  readonly longestWaitMs?: number | null;
}

/** It fails so long after noon; what is tried was queued at noon, unless told. */
function fail(state: DeliveryState, sinceNoonMs: number, over: Failing = {}): DeliveryState {
  const { afterMs = null, queuedMs = 0, random = 0, longestWaitMs = null } = over;
  const when = { queuedMs: NOON + queuedMs, nowMs: NOON + sinceNoonMs, random, longestWaitMs };
  return afterFailure(state, { afterMs, problem: "HTTP 500" }, when);
}

/** What is next so long after noon, for what was queued at noon, unless told. */
function step(
  state: DeliveryState,
  sinceNoonMs: number,
  over: { queuedMs?: number; hasNews?: boolean } = {},
) {
  const { queuedMs = 0, hasNews = false } = over;
  return nextStep(state, { queuedMs: NOON + queuedMs, hasNews }, NOON + sinceNoonMs);
}

const along = (state: DeliveryState, queuedMs: number, sinceNoonMs: number) =>
  goesAlong(state, NOON + queuedMs, NOON + sinceNoonMs);
const refused = (state: DeliveryState, sinceNoonMs = 0) =>
  afterRefusal(state, "HTTP 400", NOON + sinceNoonMs);

/** Fails each time as soon as it may be tried; the instants, from the queueing on. */
function triesOf(answer: (tries: number) => number | null, random = 0): number[] {
  const tries: number[] = [];
  let state: DeliveryState = UNTRIED;
  let ms = 0;
  for (;;) {
    const next = step(state, ms);
    if (next.type === "give_up") return [...tries, ms];
    if (next.type === "wait") {
      ms = next.untilMs - NOON;
      continue;
    }
    tries.push(ms);
    state = fail(state, ms, { afterMs: answer(state.tries + 1), random });
  }
}

describe("waits", () => {
  test("they grow from seconds to hours", () => {
    const grown = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR, 10 * HOUR];
    expect([1, 2, 3, 4, 5, 6, 7, 20].map((tries) => waitMs(tries, 0))).toEqual(grown);
  });

  test("chance adds up to a fifth, and takes nothing away", () => {
    expect([0, 0.5, 0.999].map((random) => waitMs(2, random))).toEqual([300_000, 330_000, 359_940]);
  });

  test("what fails for a day is tried eight times, the last time when its day is over", () => {
    const minutes = [0, 5, 35, 155, 455, 1055].map((minute) => minute * MINUTE + 5 * SECOND);
    expect(triesOf(() => null)).toEqual([0, ...minutes, DAY, DAY]);
  });

  test("Retry-After is honoured where it is longer, and the usual wait where that is", () => {
    const tries = triesOf((n) => (n === 1 ? HOUR : 1 * SECOND));
    expect(tries.slice(0, 4)).toEqual([0, HOUR, HOUR + 5 * MINUTE, HOUR + 35 * MINUTE]);
  });

  test("a Retry-After beyond the day is not broken by a last try; one of days counts as one of a day", () => {
    expect(triesOf((n) => (n === 3 ? 23.95 * HOUR : null))).toEqual([0, 5000, 305_000, DAY]);
    expect(triesOf(() => 3 * DAY)).toEqual([0, DAY, DAY]);
  });

  test("whatever a receiver asks, every event is tried at once and given up after a day, and no wait is broken", () => {
    const asked = fc.option(fc.integer({ min: 0, max: 2_147_483_647_000 }));
    const chance = fc.double({ min: 0, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(fc.array(asked, { minLength: 1, maxLength: 50 }), chance, (all, random) => {
        const answers = (n: number) => all[(n - 1) % all.length] ?? null;
        const tries = triesOf(answers, random);
        expect(tries[0]).toBe(0);
        expect(tries.at(-1)).toBe(DAY);
        expect(tries.length).toBeLessThanOrEqual(9);
        for (let n = 1; n < tries.length - 1; n += 1) {
          const waited = (tries[n] ?? 0) - (tries[n - 1] ?? 0);
          expect(waited).toBeGreaterThanOrEqual(Math.min(answers(n) ?? 0, DAY));
        }
      }),
    );
  });
});

describe("steps", () => {
  const failed = fail(UNTRIED, 0);

  test("what was never tried is sent, however old it is", () => {
    for (const ageMs of [0, DAY, 400 * DAY]) expect(step(UNTRIED, ageMs)).toEqual(SEND);
  });

  test("after a failure it waits", () => {
    expect(failed).toMatchObject({ tries: 1, firstTriedMs: NOON, problem: "HTTP 500" });
    expect(step(failed, 4999)).toEqual(until(5000));
    expect(step(failed, 5000)).toEqual(SEND);
  });

  test("a channel that is gone sends nothing, and what waits is given up after a day", () => {
    const gone = afterGone(failed, "HTTP 410", NOON + 5000);
    expect(gone.disabled).toEqual({ reason: "HTTP 410", atMs: NOON + 5000 });
    expect(step(gone, HOUR)).toEqual(until(DAY));
    expect(step(gone, DAY)).toEqual(GIVE_UP);
    const given = afterGiveUp(gone);
    expect(given).toMatchObject({ tries: 0, problem: "HTTP 410", disabled: gone.disabled });
    // There is nobody to ask: what was not tried has no more time.
    expect(step(given, DAY, { queuedMs: HOUR })).toEqual(until(HOUR + DAY));
    expect(step(given, HOUR + DAY, { queuedMs: HOUR })).toEqual(GIVE_UP);
  });

  test("what a person fixes is tried at once, but for what the receiver asked", () => {
    expect(step(revived(failed, NOON), 0)).toEqual(SEND);
    expect(step(revived(fail(UNTRIED, 0, { afterMs: HOUR }), NOON), 0)).toEqual(until(HOUR));
    expect(step(revived(afterGone(failed, "HTTP 410", NOON), NOON), 0)).toEqual(SEND);
  });

  test("what is refused leaves no wait to the next one, but for what the receiver asked", () => {
    expect(step(refused(failed), 0)).toEqual(SEND);
    expect(step(refused(held(failed, HOUR, NOON)), 0)).toEqual(until(HOUR));
    expect(refused(failed)).toMatchObject({ tries: 0, firstTriedMs: null, failures: 0 });
  });

  test("what is given up leaves the channel's wait to the next one, whose own tries begin at none", () => {
    const given = afterGiveUp(failed);
    expect(given).toMatchObject({ tries: 0, firstTriedMs: null, failures: 1, lastTriedMs: NOON });
    expect(step(given, 0)).toEqual(until(5 * SECOND));
    const again = fail(given, HOUR, { queuedMs: HOUR });
    expect(again).toMatchObject({ tries: 1, failures: 2, nextTryMs: NOON + HOUR + 5 * MINUTE });
  });

  test("news shorten a wait to five minutes after the last try, but not what the receiver asked", () => {
    const waits = { ...UNTRIED, tries: 5, failures: 5, lastTriedMs: NOON, nextTryMs: NOON + 5 * HOUR };
    expect(step(waits, HOUR)).toEqual(until(5 * HOUR));
    expect(step(waits, 1, { hasNews: true })).toEqual(until(5 * MINUTE));
    expect(step(waits, 5 * MINUTE, { hasNews: true })).toEqual(SEND);
    expect(step(held(waits, HOUR, NOON), 10 * MINUTE, { hasNews: true })).toEqual(until(HOUR));
    expect(step(failed, 1, { hasNews: true })).toEqual(until(5 * SECOND));
  });

  test("a receiver that forgets is not left waiting for longer than it remembers", () => {
    const forgets = { random: 0.5, longestWaitMs: 2 * MINUTE };
    const second = fail(failed, MINUTE, forgets);
    expect(second.nextTryMs).toBe(NOON + 3 * MINUTE);
    const asked = fail(second, MINUTE, { ...forgets, afterMs: HOUR });
    expect(asked).toMatchObject({ nextTryMs: NOON + 3 * MINUTE, heldUntilMs: NOON + MINUTE + HOUR });
  });

  test("an event of the future is tried for a day", () => {
    const future = { queuedMs: 400 * DAY };
    const last = fail(fail(UNTRIED, 0, future), DAY, future);
    expect(step(last, DAY, future)).toEqual(GIVE_UP);
  });
});

describe("what stands behind others", () => {
  const lastOfDay = fail(fail(UNTRIED, 0), DAY);
  const givenUp = afterGiveUp(lastOfDay);

  test("stays where what went first was tried all day: that may be at fault itself", () => {
    expect(step(lastOfDay, DAY)).toEqual(GIVE_UP);
    expect(along(lastOfDay, 0, DAY)).toBe(false);
    expect(step(givenUp, DAY)).toMatchObject({ type: "wait" });
  });

  test("is given its try, and goes with the next one that fails at once, as far as its own day is over", () => {
    const second = fail(givenUp, 30 * HOUR);
    expect(step(second, 30 * HOUR)).toEqual(GIVE_UP);
    expect(along(second, 6 * HOUR, 30 * HOUR)).toBe(true);
    expect(along(second, 6 * HOUR + 1, 30 * HOUR)).toBe(false);
    // Its day was not over when the receiver failed.
    expect(along(second, 6 * HOUR + 1, 40 * HOUR)).toBe(false);
  });

  test("has another day from when the receiver last took or refused one, and when somebody fixed it", () => {
    const atMs = NOON + 30 * HOUR;
    for (const alive of [working(atMs), refused(givenUp, 30 * HOUR), revived(givenUp, atMs)]) {
      const tried = fail(alive, 30 * HOUR);
      expect(step(tried, 31 * HOUR)).toEqual(SEND);
      expect(along(tried, 0, 31 * HOUR)).toBe(false);
      expect(step(fail(tried, 54 * HOUR), 54 * HOUR)).toEqual(GIVE_UP);
    }
  });

  test("a try of the future, by a clock that came back, gives nothing up", () => {
    const ahead = fail(UNTRIED, 400 * DAY);
    expect(step(ahead, 0)).toMatchObject({ type: "wait" });
    expect(along(ahead, 0, HOUR)).toBe(false);
  });
});

describe("what cannot be sent, as a secret is not set", () => {
  const unsent = (state: DeliveryState, sinceNoonMs: number): DeliveryState => {
    const when = { queuedMs: NOON, nowMs: NOON + sinceNoonMs, random: 0, longestWaitMs: null };
    return afterUnsent(state, "the secret URL is not set", when);
  };

  test("waits as after a failure, was not tried, and is given up after a day", () => {
    const first = unsent(UNTRIED, 0);
    expect(first).toMatchObject({ tries: 0, failures: 1, problem: "the secret URL is not set" });
    expect(step(first, 0)).toEqual(until(5 * SECOND));
    const late = unsent(first, DAY - 1);
    expect(step(late, DAY - 1)).toMatchObject({ type: "wait" });
    expect(along(late, 0, DAY - 1)).toBe(false);
    expect(step(late, DAY)).toEqual(GIVE_UP);
    expect(along(late, 0, DAY)).toBe(true);
  });

  test("is tried as soon as it can be, however old it is by then", () => {
    expect(fail(unsent(UNTRIED, 0), DAY - 1)).toMatchObject({ tries: 1, isUnsent: false });
  });
});

describe("trouble", () => {
  /** What is told while a state becomes the next one. */
  const toldOf = (states: readonly DeliveryState[]) =>
    states.slice(1).map((after, index) => troubleBetween(states[index] ?? UNTRIED, after)?.type ?? null);

  test("a channel that fails is told of once, when it has failed for an hour, whatever was given up since", () => {
    const states = [UNTRIED];
    for (const ms of [0, 5 * MINUTE, HOUR - 1, HOUR, 2 * HOUR, 9 * HOUR]) {
      states.push(fail(states.at(-1) ?? UNTRIED, ms));
    }
    expect(toldOf(states)).toEqual([null, null, null, "failing", null, null]);
    const given = afterGiveUp(states.at(-1) ?? UNTRIED);
    expect(toldOf([given, fail(given, 30 * HOUR), fail(given, 40 * HOUR)])).toEqual([null, null]);
  });

  test("one that is gone is told of with its reason, once", () => {
    const gone = afterGone(UNTRIED, "HTTP 410: gone away", NOON);
    expect(troubleBetween(UNTRIED, gone)).toEqual({ type: "disabled", problem: "HTTP 410: gone away" });
    expect(toldOf([gone, gone])).toEqual([null]);
  });

  test("of what is given up or refused the first is told of, until the receiver takes something", () => {
    const failed = fail(UNTRIED, 0);
    const first = refused(failed);
    expect(troubleBetween(failed, first)).toEqual({ type: "set_aside", problem: "HTTP 400" });
    expect(toldOf([failed, afterGiveUp(failed), fail(afterGiveUp(failed), 0)])).toEqual(["set_aside", null]);
    const alive = working(NOON);
    expect(toldOf([first, refused(first), alive, refused(alive)])).toEqual([null, null, "set_aside"]);
  });
});
