import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  UNTRIED,
  afterFailure,
  afterGiveUp,
  afterGone,
  afterRefusal,
  held,
  isLastTry,
  nextStep,
  revived,
  troubleWords,
  type DeliveryState,
} from "../../src/alert/delivery.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOON = Date.parse("2026-11-20T12:00:00Z");

const SEND = { type: "send" };
const until = (sinceNoonMs: number) => ({ type: "wait", untilMs: NOON + sinceNoonMs });

interface Failing {
  readonly afterMs?: number | null;
  readonly random?: number;
  readonly longestWaitMs?: number | null;
}

/** It fails so long after noon. */
function fail(state: DeliveryState, sinceNoonMs: number, over: Failing = {}): DeliveryState {
  const { afterMs = null, random = 0, longestWaitMs = null } = over;
  const when = { nowMs: NOON + sinceNoonMs, random, longestWaitMs };
  return afterFailure(state, { afterMs, problem: "HTTP 500" }, when);
}

/** What is next so long after noon, for what was queued at noon, unless told. */
function step(state: DeliveryState, sinceNoonMs: number, { queuedMs = 0, hasNews = false } = {}) {
  return nextStep(state, { queuedMs: NOON + queuedMs, hasNews }, NOON + sinceNoonMs);
}

const refused = (state: DeliveryState) => afterRefusal(state, "HTTP 400");

/** Fails each time as soon as it may be tried, until the last try; the instants, from the queueing on. */
function triesOf(answer: (tries: number) => number | null, random = 0): number[] {
  const tries: number[] = [];
  let state: DeliveryState = UNTRIED;
  let ms = 0;
  while (tries.length === 0 || !isLastTry(state, NOON + ms)) {
    const next = step(state, ms);
    if (next.type === "wait") ms = next.untilMs - NOON;
    tries.push(ms);
    state = fail(state, ms, { afterMs: answer(state.tries + 1), random });
  }
  return tries;
}

describe("waits", () => {
  test("Retry-After is honoured where it is longer, and the usual wait where that is", () => {
    const tries = triesOf((n) => (n === 1 ? HOUR : 1 * SECOND));
    expect(tries.slice(0, 4)).toEqual([0, HOUR, HOUR + 5 * MINUTE, HOUR + 35 * MINUTE]);
  });

  test("whatever a receiver asks, every event is tried at once, the last time after a day, and no wait is broken", () => {
    const asked = fc.option(fc.integer({ min: 0, max: 2_147_483_647_000 }));
    const chance = fc.double({ min: 0, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(fc.array(asked, { minLength: 1, maxLength: 50 }), chance, (all, random) => {
        const answers = (n: number) => all[(n - 1) % all.length] ?? null;
        const tries = triesOf(answers, random);
        expect(tries[0]).toBe(0);
        expect(tries.at(-1)).toBeGreaterThanOrEqual(DAY);
        expect(tries.at(-1)).toBeLessThan(2 * DAY);
        expect(tries.length).toBeLessThanOrEqual(8);
        for (let n = 1; n < tries.length; n += 1) {
          const waited = (tries[n] ?? 0) - (tries[n - 1] ?? 0);
          expect(waited).toBeGreaterThanOrEqual(Math.min(answers(n) ?? 0, DAY));
        }
      }),
    );
  });
});

describe("steps", () => {
  const failed = fail(UNTRIED, 0);

  test("what a person fixes is tried at once, but for what the receiver asked", () => {
    expect(step(revived(failed), 0)).toEqual(SEND);
    expect(step(revived(fail(UNTRIED, 0, { afterMs: HOUR })), 0)).toEqual(until(HOUR));
    expect(step(revived(afterGone(failed, "HTTP 410", NOON)), 0)).toEqual(SEND);
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
    const again = fail(given, HOUR);
    expect(again).toMatchObject({ tries: 1, failures: 2, nextTryMs: NOON + HOUR + 5 * MINUTE });
  });

  test("a receiver that forgets is not left waiting for longer than it remembers", () => {
    const forgets = { random: 0.5, longestWaitMs: 2 * MINUTE };
    const second = fail(failed, MINUTE, forgets);
    expect(second.nextTryMs).toBe(NOON + 3 * MINUTE);
    const asked = fail(second, MINUTE, { ...forgets, afterMs: HOUR });
    expect(asked).toMatchObject({ nextTryMs: NOON + 3 * MINUTE, heldUntilMs: NOON + MINUTE + HOUR });
  });
});

describe("trouble", () => {
  /** What the log says while a state becomes the next one. */
  const saidOf = (states: readonly DeliveryState[]) =>
    states.slice(1).map((after, index) => troubleWords("ops", states[index] ?? UNTRIED, after));
  const nothing = null;
  const fails = expect.stringMatching(
    /^the channel ops has accepted nothing for an hour\..* The reason: HTTP 500$/u,
  );
  const setsAside = expect.stringMatching(/^the channel ops did not take an event.* The reason: HTTP 400$/u);

  test("a channel that fails is reported once, when it has failed for an hour, even if events were given up since", () => {
    const states = [UNTRIED];
    for (const ms of [0, 5 * MINUTE, HOUR - 1, HOUR, 2 * HOUR, 9 * HOUR]) {
      states.push(fail(states.at(-1) ?? UNTRIED, ms));
    }
    expect(saidOf(states)).toEqual([nothing, nothing, nothing, fails, nothing, nothing]);
    const given = afterGiveUp(states.at(-1) ?? UNTRIED);
    expect(saidOf([given, fail(given, 30 * HOUR), fail(given, 40 * HOUR)])).toEqual([nothing, nothing]);
  });

  test("the first event that is given up or refused is reported, the next one only after the receiver took something", () => {
    const failed = fail(UNTRIED, 0);
    const first = refused(failed);
    expect(saidOf([failed, first, refused(first), UNTRIED, refused(UNTRIED)])).toEqual([
      setsAside,
      nothing,
      nothing,
      setsAside,
    ]);
    const given = afterGiveUp(failed);
    expect(saidOf([failed, given, fail(given, 0)])).toEqual([expect.any(String), nothing]);
  });
});
