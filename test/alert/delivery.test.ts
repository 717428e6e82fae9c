import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  afterFailure,
  afterGiveUp,
  afterGone,
  afterRefusal,
  type DeliveryState,
  type Head,
  held,
  nextStep,
  revived,
  UNTRIED,
  waitMs,
} from "../../src/alert/delivery.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOON = Date.parse("2026-11-20T12:00:00Z");

function head(queuedMs: number): Head {
  return { queuedMs, hasNews: false };
}

const failure = { afterMs: null, problem: "HTTP 500" };

/** Fails each time as soon as it may be tried; the instants, from the queueing on. */
function triesOf(answer: (tries: number) => { afterMs: number | null }, random = 0): number[] {
  const tries: number[] = [];
  let state: DeliveryState = UNTRIED;
  let nowMs = NOON;
  for (;;) {
    const step = nextStep(state, head(NOON), nowMs);
    if (step.type === "give_up") return [...tries, nowMs - NOON];
    if (step.type === "wait") {
      nowMs = step.untilMs;
      continue;
    }
    tries.push(nowMs - NOON);
    const { afterMs } = answer(state.tries + 1);
    state = afterFailure(
      state,
      { afterMs, problem: "HTTP 500" },
      { queuedMs: NOON, nowMs, random, longestWaitMs: null },
    );
  }
}

describe("waits", () => {
  test("they grow from seconds to hours", () => {
    expect([1, 2, 3, 4, 5, 6, 7, 20].map((tries) => waitMs(tries, 0))).toEqual([
      5 * SECOND,
      5 * MINUTE,
      30 * MINUTE,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      10 * HOUR,
      10 * HOUR,
    ]);
  });

  test("chance adds up to a fifth, and takes nothing away", () => {
    expect([0, 0.5, 0.999].map((random) => waitMs(2, random))).toEqual([300_000, 330_000, 359_940]);
  });

  test("what fails for a day is tried eight times, the last time when its day is over", () => {
    expect(triesOf(() => ({ afterMs: null }))).toEqual([
      0,
      5 * SECOND,
      5 * MINUTE + 5 * SECOND,
      35 * MINUTE + 5 * SECOND,
      2 * HOUR + 35 * MINUTE + 5 * SECOND,
      7 * HOUR + 35 * MINUTE + 5 * SECOND,
      17 * HOUR + 35 * MINUTE + 5 * SECOND,
      DAY,
      DAY,
    ]);
  });

  test("Retry-After is honoured where it is longer, and the usual wait where that is", () => {
    const tries = triesOf((n) => ({ afterMs: n === 1 ? HOUR : 1 * SECOND }));
    expect(tries.slice(0, 4)).toEqual([0, HOUR, HOUR + 5 * MINUTE, HOUR + 35 * MINUTE]);
  });

  test("a Retry-After beyond the day is not broken by a last try; one of days counts as one of a day", () => {
    expect(triesOf((n) => ({ afterMs: n === 3 ? 23.95 * HOUR : null }))).toEqual([0, 5000, 305_000, DAY]);
    expect(triesOf(() => ({ afterMs: 3 * DAY }))).toEqual([0, DAY, DAY]);
  });

  test("whatever a receiver asks, every event is tried at once and given up after a day, and no wait is broken", () => {
    const asked = fc.option(fc.integer({ min: 0, max: 2_147_483_647_000 }));
    fc.assert(
      fc.property(
        fc.array(asked, { minLength: 1, maxLength: 50 }),
        fc.double({ min: 0, max: 0.99, noNaN: true }),
        (all, random) => {
          const answers = (n: number) => all[(n - 1) % all.length] ?? null;
          const tries = triesOf((n) => ({ afterMs: answers(n) }), random);
          expect(tries[0]).toBe(0);
          expect(tries.at(-1)).toBe(DAY);
          expect(tries.length).toBeLessThanOrEqual(9);
          for (let n = 1; n < tries.length - 1; n += 1) {
            expect((tries[n] ?? 0) - (tries[n - 1] ?? 0)).toBeGreaterThanOrEqual(
              Math.min(answers(n) ?? 0, DAY),
            );
          }
        },
      ),
    );
  });
});

describe("steps", () => {
  const failed = afterFailure(UNTRIED, failure, {
    queuedMs: NOON,
    nowMs: NOON,
    random: 0,
    longestWaitMs: null,
  });

  test("what was never tried is sent, however old it is", () => {
    for (const ageMs of [0, DAY, 400 * DAY]) {
      expect(nextStep(UNTRIED, head(NOON), NOON + ageMs)).toEqual({ type: "send" });
    }
  });

  test("after a failure it waits", () => {
    expect(failed).toMatchObject({ tries: 1, firstTriedMs: NOON, problem: "HTTP 500" });
    expect(nextStep(failed, head(NOON), NOON + 4999)).toEqual({ type: "wait", untilMs: NOON + 5000 });
    expect(nextStep(failed, head(NOON), NOON + 5000)).toEqual({ type: "send" });
  });

  test("a channel that is gone sends nothing, and what waits is given up after a day", () => {
    const gone = afterGone(failed, "HTTP 410", NOON + 5000);
    expect(gone.disabled).toEqual({ reason: "HTTP 410", atMs: NOON + 5000 });
    expect(nextStep(gone, head(NOON), NOON + HOUR)).toEqual({ type: "wait", untilMs: NOON + DAY });
    expect(nextStep(gone, head(NOON), NOON + DAY)).toEqual({ type: "give_up" });
    const given = afterGiveUp(gone);
    expect(given).toMatchObject({ tries: 0, problem: "HTTP 410", disabled: gone.disabled });
    // There is nobody to ask: what was not tried has no more time.
    expect(nextStep(given, head(NOON + HOUR), NOON + DAY)).toEqual({
      type: "wait",
      untilMs: NOON + HOUR + DAY,
    });
    expect(nextStep(given, head(NOON + HOUR), NOON + HOUR + DAY)).toEqual({ type: "give_up" });
  });

  test("what a person mends is tried at once, but for what the receiver asked", () => {
    const resting = afterFailure(
      UNTRIED,
      { afterMs: HOUR, problem: "HTTP 429" },
      { queuedMs: NOON, nowMs: NOON, random: 0, longestWaitMs: null },
    );
    expect(nextStep(revived(failed, NOON), head(NOON), NOON)).toEqual({ type: "send" });
    expect(nextStep(revived(resting, NOON), head(NOON), NOON)).toEqual({
      type: "wait",
      untilMs: NOON + HOUR,
    });
    expect(nextStep(revived(afterGone(failed, "HTTP 410", NOON), NOON), head(NOON), NOON)).toEqual({
      type: "send",
    });
  });

  test("what is refused leaves no wait to the next one, but for what the receiver asked", () => {
    const resting = held(failed, HOUR, NOON);
    expect(nextStep(afterRefusal(failed, "HTTP 400", NOON), head(NOON), NOON)).toEqual({ type: "send" });
    expect(nextStep(afterRefusal(resting, "HTTP 400", NOON), head(NOON), NOON)).toEqual({
      type: "wait",
      untilMs: NOON + HOUR,
    });
    expect(afterRefusal(failed, "HTTP 400", NOON)).toMatchObject({
      tries: 0,
      firstTriedMs: null,
      failures: 0,
    });
  });

  test("what is given up leaves the channel's wait to the next one, whose own tries begin at none", () => {
    const given = afterGiveUp(failed);
    expect(given).toMatchObject({ tries: 0, firstTriedMs: null, failures: 1, lastTriedMs: NOON });
    expect(nextStep(given, head(NOON), NOON)).toEqual({ type: "wait", untilMs: NOON + 5 * SECOND });
    const again = afterFailure(given, failure, {
      queuedMs: NOON + HOUR,
      nowMs: NOON + HOUR,
      random: 0,
      longestWaitMs: null,
    });
    expect(again).toMatchObject({ tries: 1, failures: 2, nextTryMs: NOON + HOUR + 5 * MINUTE });
  });

  test("news shorten a wait to five minutes after the last try, but not what the receiver asked", () => {
    const waits = { ...UNTRIED, tries: 5, failures: 5, lastTriedMs: NOON, nextTryMs: NOON + 5 * HOUR };
    const news: Head = { queuedMs: NOON, hasNews: true };
    expect(nextStep(waits, head(NOON), NOON + HOUR)).toEqual({ type: "wait", untilMs: NOON + 5 * HOUR });
    expect(nextStep(waits, news, NOON + 1)).toEqual({ type: "wait", untilMs: NOON + 5 * MINUTE });
    expect(nextStep(waits, news, NOON + 5 * MINUTE)).toEqual({ type: "send" });
    expect(nextStep(held(waits, HOUR, NOON), news, NOON + 10 * MINUTE)).toEqual({
      type: "wait",
      untilMs: NOON + HOUR,
    });
    expect(nextStep(failed, news, NOON + 1)).toEqual({ type: "wait", untilMs: NOON + 5 * SECOND });
    expect(nextStep({ ...waits, lastTriedMs: NOON + HOUR }, news, NOON)).toEqual({ type: "send" });
  });

  test("a receiver that forgets is not left waiting for longer than it remembers", () => {
    const when = { queuedMs: NOON, random: 0.5, longestWaitMs: 2 * MINUTE };
    const second = afterFailure(failed, failure, { ...when, nowMs: NOON + MINUTE });
    expect(second.nextTryMs).toBe(NOON + 3 * MINUTE);
    expect(
      afterFailure(second, { ...failure, afterMs: HOUR }, { ...when, nowMs: NOON + MINUTE }),
    ).toMatchObject({
      nextTryMs: NOON + 3 * MINUTE,
      heldUntilMs: NOON + MINUTE + HOUR,
    });
  });

  test("a clock that ran ahead and came back makes nobody wait for it", () => {
    const ahead = NOON + 400 * DAY;
    const then = afterFailure(UNTRIED, failure, {
      queuedMs: ahead,
      nowMs: ahead,
      random: 0,
      longestWaitMs: null,
    });
    expect(nextStep(then, head(ahead), NOON)).toEqual({ type: "send" });
    const resting = afterFailure(
      UNTRIED,
      { afterMs: HOUR, problem: "HTTP 429" },
      { queuedMs: ahead, nowMs: ahead, random: 0, longestWaitMs: null },
    );
    expect(nextStep(resting, head(ahead), NOON)).toEqual({ type: "send" });
  });

  test("an event of the future is tried for a day", () => {
    const tried = afterFailure(UNTRIED, failure, {
      queuedMs: NOON + 400 * DAY,
      nowMs: NOON,
      random: 0,
      longestWaitMs: null,
    });
    const last = afterFailure(tried, failure, {
      queuedMs: NOON + 400 * DAY,
      nowMs: NOON + DAY,
      random: 0,
      longestWaitMs: null,
    });
    expect(nextStep(last, head(NOON + 400 * DAY), NOON + DAY)).toEqual({ type: "give_up" });
  });
});
